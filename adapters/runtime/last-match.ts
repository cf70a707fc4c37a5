/**
 * Makes this thread drop the text of its last match: V8 keeps it for `RegExp.lastMatch` until another expression matches,
 * so that an erased text would stay in memory.
 */
export const forgetLastMatch = (): void => void /./.test('.');
