import { Command } from 'commander';
import { readStream, selectEvents } from '../../../application/audit/read-log.js';
import type { StoredEvent } from '../../../application/ports/event-store.js';
import {
  didYouMean,
  type EventSelection,
  everyEvent,
  isSelected,
  typeName,
} from '../../../projections/event-selection.js';
import { type ShownEvent, shownEvent, shownPosition, withheldAs } from '../../../projections/audit/shown-event.js';
import { brief, differenceLine, type Paint, paint, whyWithheld } from '../terminal.js';
import {
  refuseReversed,
  refuseUnknown,
  refuseUnmatchable,
  selectionOf,
  type SelectionOptions,
  withSelection,
} from './selection.js';
import {
  type AuditNeeds,
  type AuditSource,
  type CommonOptions,
  type KeyOptions,
  onLog,
  refuseMissingKeys,
  withKeys,
  withLog,
} from './source.js';
import type { DomainEvent } from '../../../domain/event-catalogue.js';
import { differences, statesOf } from '../../../projections/audit/explain.js';
import { replayLog } from '../../../application/audit/replay-log.js';
import type { Timestamp } from '../../../domain/kernel/timestamp.js';
import type { LateWriteView } from '../../../projections/views.js';
import { withTimes } from '../readable-error.js';
import { explainCommand } from './explain.js';
import { exportCommand, replayCommand } from './export.js';
import { statementCommand } from './statement.js';
import { sealCommand, verifyCommand } from './verify.js';

type LogOptions = CommonOptions & SelectionOptions & { readonly follow?: true };

/** One event on two lines of a terminal. */
export const eventLines = ({ bold, dim }: Paint, event: ShownEvent): string => {
  const { position, stream, revision, type, at, actor, request_id, data } = event;
  const by = actor === null ? 'unknown' : `${actor.account_id} (key ${actor.key_id})`;
  const content = whyWithheld(event) ?? brief(data);
  return (
    `${dim(shownPosition(position))} ${at ?? ''} ${bold(type)} ${stream}@${revision}\n` +
    `    ${dim(`by ${by}, request ${request_id ?? 'none'}`)}\n    ${content}`
  );
};

const show = (needs: AuditNeeds, json: boolean, event: StoredEvent): void => {
  const shown = shownEvent(event);
  needs.print(json ? JSON.stringify(shown) : eventLines(paint(needs.stdout), shown));
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
    .action((options: LogOptions) =>
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
        const colours = paint(needs.stdout);
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

type LateWriteOptions = CommonOptions &
  KeyOptions & { readonly from?: Timestamp; readonly to?: Timestamp; readonly video?: string };

const isWanted = ({ at, video_id }: LateWriteView, { from, to, video }: LateWriteOptions): boolean =>
  (from === undefined || at >= from) && (to === undefined || at < to) && (video === undefined || video_id === video);

const printWrite = (needs: AuditNeeds, colours: Paint, write: LateWriteView): void => {
  const { at, status, reason, video_id, run_id, actor, request_id, changes, reverted_at, attribution } = write;
  const suspected = write.late_write_suspected ? colours.yellow(', may be from a stale run') : '';
  needs.print(`${colours.bold(at)} ${status}${reason === null ? '' : ` (${reason})`}${suspected}`);
  needs.print(
    colours.dim(`    video ${video_id ?? 'unknown'}, run ${run_id}${attribution === null ? '' : `, ${attribution}`}`),
  );
  needs.print(colours.dim(`    by ${actor.account_id} (key ${actor.key_id}), request ${request_id}`));
  for (const { face_id, before, after } of changes)
    for (const changed of differences(before, after, `face ${face_id}`)) needs.print(differenceLine(colours, changed));
  if (reverted_at !== null) needs.print(colours.green(`    undone ${reverted_at}`));
};

/** Throws if there is no such video. */
const refuseUnknownVideo = (video: string, known: ReadonlyArray<string>): void => {
  if (!known.includes(video)) throw new Error(`there is no video ${video}${didYouMean(video, known)}`);
};

/** `audit late-writes`: write-backs that came late or may have come from another run. */
export const lateWritesCommand = (needs: AuditNeeds): Command =>
  withTimes(
    withKeys(
      onLog('late-writes', 'write-backs that came late or are ambiguous, the fields they changed, whether undone'),
    ),
    'recorded',
  )
    .option('--video <id>', 'of one video')
    .action((options: LateWriteOptions) =>
      withLog(needs, options, async ({ store }) => {
        refuseReversed(options);
        const { rows, unreadable } = await needs.watched((onProgress) => replayLog(store, null, onProgress));
        refuseMissingKeys(needs, options, unreadable);
        if (options.video !== undefined)
          refuseUnknownVideo(
            options.video,
            rows.videos.all().map(({ record }) => record.video_id),
          );
        const late = rows.lateWrites.all().filter((write) => isWanted(write, options));
        if (options.json === true) return late.forEach((write) => needs.print(JSON.stringify(write)));
        if (late.length === 0) needs.print('No write-back came late.');
        const colours = paint(needs.stdout);
        late.forEach((write) => printWrite(needs, colours, write));
      }),
    );

/** `media-analysis audit`: lists, explains, verifies and exports the event log. */
export const auditCommand = (needs: AuditNeeds): Command =>
  new Command('audit')
    .description('list, explain, verify and export what happened; reads a live log or a copy')
    .addCommand(logCommand(needs))
    .addCommand(showCommand(needs))
    .addCommand(explainCommand(needs))
    .addCommand(lateWritesCommand(needs))
    .addCommand(statementCommand(needs))
    .addCommand(exportCommand(needs))
    .addCommand(replayCommand(needs))
    .addCommand(verifyCommand(needs))
    .addCommand(sealCommand(needs));
