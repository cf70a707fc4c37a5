import { Command, InvalidArgumentError } from 'commander';
import { readStream } from '../../../application/audit/read-log.js';
import type { DomainEvent } from '../../../domain/event-catalogue.js';
import type { RecordedEvent } from '../../../domain/kernel/recorded-event.js';
import { type Explanation, explain, lastChange } from '../../../projections/audit/explain.js';
import { brief, differenceLine, paint } from '../terminal.js';
import {
  type AuditNeeds,
  type CommonOptions,
  type KeyOptions,
  onLog,
  refuseMissingKeys,
  whereToPutKeys,
  withKeys,
  withLog,
} from './source.js';

const number = (text: string): number => {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number, 0 or more.');
};

const print = (needs: AuditNeeds, json: boolean, explained: ReadonlyArray<Explanation>): void => {
  const colours = paint(needs.stdout);
  for (const { recorded, cause, run_id, changed, evidence } of explained) {
    const { stream, revision, event, event_id, metadata } = recorded;
    if (json) {
      const { type } = event;
      needs.print(JSON.stringify({ stream, revision, event_id, type, metadata, cause, run_id, changed, evidence }));
      continue;
    }
    const { actor, recorded_at, correlation_id } = metadata;
    needs.print(`${colours.bold(recorded_at)} ${cause}`);
    needs.print(colours.dim(`    ${event.type} ${stream}@${revision}, by ${actor.account_id} (key ${actor.key_id})`));
    needs.print(colours.dim(`    request ${correlation_id}${run_id === null ? '' : `, run ${run_id}`}`));
    changed.forEach((difference) => needs.print(differenceLine(colours, difference)));
    if (evidence !== null) needs.print(`    ${colours.yellow('evidence')} ${brief(evidence)}`);
  }
};

/** The current value of one field, since when, and why. */
const currentValue = (explained: ReadonlyArray<Explanation>, field: string, says: string): string => {
  const last = lastChange(explained, field);
  if (last === null) return `has no ${says}`;
  const { recorded, cause, changed } = last.explanation;
  const { recorded_at, actor } = recorded.metadata;
  const why = `since ${recorded_at}, because ${cause} (by ${actor.account_id})`;
  if (last.value !== null) return `${says} is ${brief(last.value)} ${why}`;
  const wasTaken = changed.some(({ path }) => path === field);
  return wasTaken ? `has no ${says} ${why}` : `has no ${says}`;
};

/** A summary in one line: the name of the subject, and its match or role. */
const answer = (explained: ReadonlyArray<Explanation>, subject: 'face' | 'speaker', which: number): string => {
  const fields =
    subject === 'face'
      ? [currentValue(explained, 'name', 'name'), currentValue(explained, 'speaker_id', 'speaker')]
      : [currentValue(explained, 'name', 'name'), currentValue(explained, 'role', 'role')];
  const isGone = explained.at(-1)?.changed.some(({ path, after }) => path === '' && after === undefined) ?? false;
  if (isGone) return `${subject} ${which} is gone: ${explained.at(-1)?.cause ?? ''}.`;
  return `${subject} ${which}: ${fields.join('; ')}.`;
};

const isUnreadable = ({ event }: RecordedEvent<DomainEvent>): boolean =>
  event.type === 'Withheld' && event.data.why === 'key_missing';

/** Why nothing can be explained. */
const whyNothing = (events: ReadonlyArray<RecordedEvent<DomainEvent>>, medium: string, what: string): string => {
  if (events.length === 0) return `there is no ${medium}`;
  const erasure = events.find(({ event }) => event.type === 'MediumErased');
  if (erasure !== undefined) return `${medium} was erased at ${erasure.metadata.recorded_at}`;
  return events.some(isUnreadable)
    ? `the key of ${medium} is missing: ${whereToPutKeys}`
    : `${medium} never had a ${what}`;
};

const of = (needs: AuditNeeds, medium: 'video' | 'audio', subject: 'face' | 'speaker'): Command =>
  withKeys(
    onLog(
      subject,
      `which events gave a ${subject} its name, ${subject === 'face' ? 'speaker' : 'role'} and match, and why`,
    ),
  )
    .argument(`<${medium}>`)
    .argument(`<${subject}>`, 'its id', number)
    .action((id: string, which: number, options: CommonOptions & KeyOptions) =>
      withLog(needs, options, async ({ store }) => {
        const events = await readStream(store, `${medium}-${id}`);
        refuseMissingKeys(needs, options, events.filter(isUnreadable).length);
        const explained = explain(events, subject, which);
        if (explained.length === 0) throw new Error(whyNothing(events, `${medium} ${id}`, `${subject} ${which}`));
        print(needs, options.json === true, explained);
        if (options.json !== true) needs.print(paint(needs.stdout).bold(answer(explained, subject, which)));
      }),
    );

/** `audit explain face|speaker`. */
export const explainCommand = (needs: AuditNeeds): Command =>
  new Command('explain')
    .description('explain where a name, role or match comes from')
    .addCommand(of(needs, 'video', 'face'))
    .addCommand(of(needs, 'audio', 'speaker'));
