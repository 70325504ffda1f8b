/** Texts of a node's page in addition to those of its configuration. */
export interface NodeTexts {
  /** Members of `data` of a node that can be published. */
  readonly example: { readonly inputs?: object; readonly config: object };
  /** Outputs by name, or by a placeholder such as `<field>` if the configuration names them. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Values by name that nodes of its body refer to. */
  readonly inside?: Readonly<Record<string, string>>;
  /** Handles by name, or by a placeholder, and when each of them is taken. */
  readonly handles: Readonly<Record<string, string>>;
}
