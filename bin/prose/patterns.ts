/** Phrases that read as translated, with the way out of each. docs/contributing/style.md says how to write instead. */

export interface Pattern {
  readonly name: string;
  readonly words: RegExp;
  readonly advice: string;
  /** Kinds of text to search; all of them by default. */
  readonly only?: 'comment';
}

/** Uses that are plain English are excluded in the expressions: `stands for`, `not at all`, `tell the two apart`. */
export const PATTERNS: readonly Pattern[] = [
  {
    name: 'what-clause',
    words: /\bwhat (?:is|are|was|were)\b(?![^.?!]{0,60}\?)/gi,
    advice: 'name the thing: "unpaid lines" for "what is not paid"',
  },
  {
    name: 'doc-clause',
    words: /^\/\*\*\s*(?:what|which|who|that which|all that|those that|one that|such)\b/gi,
    advice: 'begin a doc comment with a noun or with a verb in the third person',
    only: 'comment',
  },
  {
    name: 'stands',
    words: /\b(?:stands?|stood|standing)\b(?! (?:for|in for|still|alone|out)\b)(?![-’'])/gi,
    advice: '"is", "lies", "is printed"; or say what it does',
  },
  { name: 'beside', words: /\bbesides?\b/gi, advice: '"next to", "in parallel with", "in addition to", "except"' },
  {
    name: 'tells',
    words: /\b(?:tells?|told|telling)\b(?![^.;:]{0,80}\bapart\b)/gi,
    advice: '"report", "notify", "pass", "show", "distinguish"; things do not talk',
  },
  {
    name: 'of-its-own',
    // "of its own kind" is plain; "a key of its own" is not.
    words:
      /\bof (?:its|their|his|her|our|your|one['’]s) own\b(?! (?!(?:that|which|who|and|or|in|on|for|with|to|as|at|is|are|was|by|from|where|when|so|but|while|until|after|before|each)\b)[a-z])/gi,
    advice: '"its own X", "a separate X", "by itself"',
  },
  { name: 'goes-on', words: /\b(?:goes|go|went|going|gone) on\b/gi, advice: '"continues", "resumes", "proceeds"' },
  {
    name: 'is-none',
    words: /(?<!\bthere )\b(?:is|are|was|were|be) none\b(?! of (?:the|these|them|its|their)\b)/gi,
    advice: '"is not a X", "does not exist", "has no X"',
  },
  {
    name: 'whatever',
    words: /\b(?:whatever|whoever|whichever|wherever|whosoever)\b/gi,
    advice: '"any", "regardless of", "the one that"',
  },
  {
    name: 'look',
    words:
      /\b(?:a|an|the|one|two|each|every|these|those|all|both|more|further|between|such|its|whose|of) looks?\b(?!-)/gi,
    advice: '"sample", "check", "attempt", "poll"',
  },
  {
    name: 'of-which',
    words: /(?<!\b(?:regardless|one|two|three|both|all|some|most|many|few|each|neither|none) )\bof which\b/gi,
    advice: 'two sentences, or "whose"',
  },
  {
    name: 'somebody',
    words: /\b(?:nobody|somebody|anybody|everybody)\b(?!['"](?!s\b))/gi,
    advice: 'name the role: a client, a member, an operator; or "no one", "someone"',
  },
  { name: 'mend', words: /\bmend(?:s|ed|ing)?\b/gi, advice: '"fix", "repair", "correct"' },
  { name: 'likewise', words: /\blikewise\b/gi, advice: '"also", "the same way"' },
  {
    name: 'so-many',
    words: /\bso (?:many|few)\b(?! that\b)/gi,
    advice: 'name the quantity: "the maximum number of X"',
  },
  {
    name: 'at-all',
    words: /(?<!\bnot )\bat all\b(?! (?:of|times|three|four|its|their|the|levels|places|angles|sizes)\b)/gi,
    advice: 'leave it out',
  },
  {
    name: 'parts',
    words: /\b(?:parted|parting|parts (?:the|a|an|them|it|two|words|cells|columns|lines|rows|names))\b/gi,
    advice: '"split", "separate", "divide"',
  },
  {
    name: 'is-no',
    words:
      /(?<!\bthere )\b(?:is|are|was|were|be) no (?!longer\b|more\b|less\b|other\b|such\b|one\b|need\b|way\b|worse\b|[a-z]+er\b)[a-z]/gi,
    advice: '"is not a X"; "there is no X" stays',
  },
  { name: 'begin', words: /\b[Bb](?:egins?|egan|egun|eginning)\b/g, advice: '"start"' },
  { name: 'perhaps-last', words: /\bperhaps[.;)]/gi, advice: '"may"' },
];
