/**
 * Lets other work of this thread pass where the work that is under way has taken long: resolves in a later turn of the
 * event loop. Null: it has not, and is to go on at once, without an await: others who ask meanwhile would be let on too.
 * To be asked before each step that may be long.
 */
export type GiveWay = () => Promise<void> | null;

/** For tests and commands that have their thread to themselves. */
export const neverGiveWay: GiveWay = () => null;
