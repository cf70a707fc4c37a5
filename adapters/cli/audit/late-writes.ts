import type { Command } from 'commander';
import { replayLog } from '../../../application/audit/replay-log.js';
import type { Timestamp } from '../../../domain/kernel/timestamp.js';
import { differences } from '../../../projections/audit/differences.js';
import type { LateWriteView } from '../../../projections/views.js';
import { type Paint, differenceLine, paint } from './paint.js';
import { didYouMean } from '../../../projections/nearest.js';
import { withTimes } from '../written-time.js';
import { refuseReversed } from './selection.js';
import {
  type AuditNeeds,
  type CommonOptions,
  type KeyOptions,
  onLog,
  refuseMissingKeys,
  withKeys,
  withLog,
} from './source.js';

type Options = CommonOptions &
  KeyOptions & { readonly from?: Timestamp; readonly to?: Timestamp; readonly video?: string };

const isWanted = ({ at, video_id }: LateWriteView, { from, to, video }: Options): boolean =>
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
    .action((options: Options) =>
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
        const colours = paint(needs.isTerminal);
        late.forEach((write) => printWrite(needs, colours, write));
      }),
    );
