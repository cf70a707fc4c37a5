import { readFileSync } from 'node:fs';
import * as t from 'io-ts';
import { type OperationId, operations } from '../../runtime/operations.js';
import { inPackage } from '../../runtime/package-files.js';

/** A request and its answer, recorded by a script from the running service. */
const RecordedExample = t.intersection([t.type({ answer: t.unknown }), t.partial({ request: t.unknown })]);
export type RecordedExample = t.TypeOf<typeof RecordedExample>;

const Recorded = t.type({ operations: t.record(t.string, RecordedExample), events: t.UnknownRecord });

const file = inPackage('adapters/http/description/recorded-examples.json');

const isOperation = (id: string): id is OperationId => id in operations;

const recorded = (): t.TypeOf<typeof Recorded> => {
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!Recorded.is(parsed)) throw new Error('the file of recorded examples is malformed');
  return parsed;
};

/** Examples of requests and answers, by operation. */
export const recordedExamples = (): ReadonlyMap<OperationId, RecordedExample> =>
  new Map(Object.entries(recorded().operations).flatMap(([id, example]) => (isOperation(id) ? [[id, example]] : [])));

/** An example of the data of each event, by stored type. */
export const recordedEvents = (): ReadonlyMap<string, unknown> => new Map(Object.entries(recorded().events));
