/** A passage that answers may cite. */
export interface KnowledgeHit {
  readonly baseId: string;
  readonly documentId: string;
  /** Of the document. */
  readonly title: string;
  /** Counted from 1; null for documents without pages. */
  readonly page: number | null;
  /** Headings above the passage, outermost first. */
  readonly heading: readonly string[];
  /** 0 to 1; comparable between the hits of one query only. */
  readonly score: number;
  /** Share of the question's terms, by weight, that the passage has: 0 to 1, comparable between questions; 0 where vectors alone found it. */
  readonly termShare: number;
  readonly text: string;
}

export interface KnowledgeQuery {
  readonly workspaceId: string;
  /** Bases of the workspace. Those that are gone, or are another workspace's, give no hits. */
  readonly baseIds: readonly string[];
  readonly query: string;
  /** Most hits. */
  readonly limit: number;
  readonly signal?: AbortSignal;
}

/** Search in knowledge bases: of completions, of the tool `knowledge`, of workflows and of the search endpoint. */
export interface KnowledgeSearch {
  /** Best first. Documents that are removed give no hits from the next search on. */
  search(query: KnowledgeQuery): Promise<readonly KnowledgeHit[]>;
}

export const MAX_QUERY_LENGTH = 2_000;
export const MAX_HITS = 50;
