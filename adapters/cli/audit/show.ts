import type { Command } from 'commander';
import { readStream } from '../../../application/audit/select-events.js';
import type { DomainEvent } from '../../../domain/event-catalogue.js';
import { withheldAs } from '../../../projections/audit/shown-event.js';
import { everyEvent, typeName } from '../../../projections/event-selection.js';
import { statesOf } from '../../../projections/audit/stream-states.js';
import { differenceLine, paint, whyWithheld } from './paint.js';
import { refuseUnknown, refuseUnmatchable } from './selection.js';
import { type AuditNeeds, type CommonOptions, onLog, withLog } from './source.js';

/** The type and data of an event; of one that cannot be read, its type and why. */
const contentOf = (event: DomainEvent) => {
  if (event.type !== 'Withheld') return { content: event, type: event.type, withheld: null };
  const [type, flags] = [typeName(event.data.stored), withheldAs(event.data.why)];
  return { content: { type, data: null, ...flags }, type, withheld: whyWithheld(flags) };
};

/** `audit show <stream>`: each event with its effect on the record. */
export const showCommand = (needs: AuditNeeds): Command =>
  onLog('show', 'the events of a stream, each with the record after it; differences are marked')
    .argument('<stream>', 'as in video-7')
    .action((stream: string, options: CommonOptions) =>
      withLog(needs, options, async ({ store }) => {
        const colours = paint(needs.isTerminal);
        const states = statesOf(await readStream(store, stream));
        if (states.length === 0) {
          await refuseUnmatchable(store, { ...everyEvent, stream });
          await refuseUnknown(store, { ...everyEvent, stream });
        }
        for (const { recorded, state, changed } of states) {
          const { revision, metadata, event_id, position } = recorded;
          const { content, type, withheld } = contentOf(recorded.event);
          if (options.json === true) {
            needs.print(JSON.stringify({ position, revision, event_id, ...content, metadata, state, changed }));
            continue;
          }
          const { actor, recorded_at, correlation_id } = metadata;
          needs.print(`${colours.bold(`${stream}@${revision} ${type}`)} ${recorded_at}`);
          needs.print(colours.dim(`    by ${actor.account_id} (key ${actor.key_id}), request ${correlation_id}`));
          if (withheld !== null) needs.print(`    ${withheld}`);
          else if (changed.length === 0) needs.print(colours.dim('    the record stays as it is'));
          changed.forEach((difference) => needs.print(differenceLine(colours, difference)));
        }
      }),
    );
