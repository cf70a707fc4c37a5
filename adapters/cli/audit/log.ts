import type { Command } from 'commander';
import { selectEvents } from '../../../application/audit/select-events.js';
import type { StoredEvent } from '../../../application/ports/event-store.js';
import { isSelected, type EventSelection } from '../../../projections/event-selection.js';
import { type ShownEvent, shownEvent, shownPosition } from '../../../projections/audit/shown-event.js';
import { type Paint, brief, paint, whyWithheld } from './paint.js';
import { type SelectionOptions, refuseUnknown, refuseUnmatchable, selectionOf, withSelection } from './selection.js';
import { type AuditNeeds, type AuditSource, type CommonOptions, onLog, withLog } from './source.js';

type Options = CommonOptions & SelectionOptions & { readonly follow?: true };

/** One event on two lines of a terminal. */
export const eventLines = ({ bold, dim }: Paint, event: ShownEvent): string => {
  const { position, stream, revision, type, at, actor, request_id, data } = event;
  const by = actor === null ? 'nobody known' : `${actor.account_id} (key ${actor.key_id})`;
  const content = whyWithheld(event) ?? brief(data);
  return (
    `${dim(shownPosition(position))} ${at ?? ''} ${bold(type)} ${stream}@${revision}\n` +
    `    ${dim(`by ${by}, request ${request_id ?? 'none'}`)}\n    ${content}`
  );
};

const show = (needs: AuditNeeds, json: boolean, event: StoredEvent): void => {
  const shown = shownEvent(event);
  needs.print(json ? JSON.stringify(shown) : eventLines(paint(needs.isTerminal), shown));
};

/** Prints selected new events until the process should end. */
const follow = (
  needs: AuditNeeds,
  { store }: AuditSource,
  wanted: EventSelection,
  json: boolean,
  after: string | null,
) =>
  new Promise<void>((resolve, reject) => {
    const subscription = store.subscribe(
      after,
      {},
      {
        onPage: async (page) =>
          page.events.filter((event) => isSelected(event, wanted)).forEach((event) => show(needs, json, event)),
        onFailure: (failure) => reject(new Error(`the log was lost: ${brief(failure)}`)),
      },
    );
    /** A subscription alone does not keep the process alive. */
    const alive = setInterval(() => undefined, 60_000);
    needs.onEnd(() => {
      clearInterval(alive);
      void subscription.close().then(resolve);
    });
  });

/** `audit log`: lists events, oldest first. */
export const logCommand = (needs: AuditNeeds): Command =>
  withSelection(onLog('log', 'list events, oldest first'))
    .option('--follow', 'follow new events as they are written')
    .action((options: Options) =>
      withLog(needs, options, async (source) => {
        const wanted = selectionOf(options);
        const json = options.json === true;
        await refuseUnmatchable(source.store, wanted);
        let last: string | null = null;
        for await (const page of selectEvents(source.store, wanted))
          for (const event of page) {
            show(needs, json, event);
            last = event.position;
          }
        if (options.follow === true) return follow(needs, source, wanted, json, last);
        if (last !== null) return;
        await refuseUnknown(source.store, wanted);
        if (!json) needs.print('No event matches.');
      }),
    );
