interface Told<Answer> {
  readonly is: (data: unknown) => data is Answer;
}

/**
 * That an answer is of this service is looked at; that it is of the type which the service's codecs say is believed,
 * for types and answers are made from the same codecs.
 */
export const told = <Answer>(): Told<Answer> => ({
  is: (data): data is Answer => typeof data === 'object' && data !== null,
});
