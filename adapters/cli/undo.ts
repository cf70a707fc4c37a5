import { Argument, Command, InvalidArgumentError } from 'commander';
import type { RevertedChange } from '../client/index.js';
import { type Access, type AskNeeds, askService, shown, withAccess } from './ask-service.js';

const linesOf = (what: string, list: RevertedChange['reverted']): ReadonlyArray<string> =>
  list.map(({ record, id, fields }) => `${what}\t${record} ${id}\t${fields.join(', ')}`);

const positionAsPrinted = (text: string): string => {
  const digits = /^#?(\d+)$/.exec(text)?.[1];
  if (digits !== undefined) return digits;
  throw new InvalidArgumentError('It must be a position, as in #123 or 0000000000000123.');
};

/**
 * `media-analysis undo`: reverts a change of a record of a running service through the revert endpoint; fails on a 409.
 */
export const undoCommand = (needs: AskNeeds): Command =>
  withAccess(new Command('undo'))
    .description('undo a change of a video or an audio, on both records that it touched')
    .addArgument(new Argument('<record>', 'whose history it is').choices(['video', 'audio']))
    .argument('<id>', 'the id of the video or audio')
    .argument(
      '<position>',
      'the position of the change, from the history, audit log or X-Event-Position',
      positionAsPrinted,
    )
    .option('--dry-run', 'show what would be restored; write nothing')
    .action(async (record: string, id: string, position: string, options: Access & { readonly dryRun?: true }) => {
      const { dryRun: dry_run = false } = options;
      const answer = await askService(needs, options, ({ videos, audios }) =>
        (record === 'video' ? videos : audios).revert(id, position, { dry_run }),
      );
      shown(needs, options, answer, ({ reverted, changed_since }) => [
        ...linesOf(dry_run ? 'would be restored' : 'restored', reverted),
        ...linesOf('changed since, left as it is', changed_since),
      ]);
    });
