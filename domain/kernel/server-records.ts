/** An EventStoreDB keeps records of its own in the log, whose types begin so: they belong to that server alone. */
export const isServerRecord = ({ type }: { readonly type: string }): boolean => type.startsWith('$');
