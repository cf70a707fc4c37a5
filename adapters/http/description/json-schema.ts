/** A JSON Schema, of what drafts 7 and 2020-12 have in common. */
export type Schema = Readonly<Record<string, unknown>>;
