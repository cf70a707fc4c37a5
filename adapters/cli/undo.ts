import { Argument, Command } from 'commander';
import * as t from 'io-ts';
import { type Access, type AskNeeds, askService, withAccess } from './ask-service.js';

const Fields = t.readonlyArray(
  t.type({ record: t.string, id: t.union([t.number, t.string]), fields: t.readonlyArray(t.string) }),
);
const Reverted = t.type({ position: t.string, reverted: Fields, changed_since: Fields });

/** `media-analysis undo`: undoes a change of a record of a running service, as the endpoint does; fails on a 409. */
export const undoCommand = (needs: AskNeeds): Command =>
  withAccess(new Command('undo'), needs)
    .description('undo a change of a video or an audio, on both records that it touched')
    .addArgument(new Argument('<record>', 'whose history it is').choices(['video', 'audio']))
    .argument('<id>', 'the id of the video or audio')
    .argument('<position>', 'the position of the change, from the history or from X-Event-Position')
    .option('--dry-run', 'show what would be put back; write nothing')
    .action(async (record: string, id: string, position: string, options: Access & { readonly dryRun?: true }) => {
      const { dryRun = false, ...access } = options;
      const path = `/v2/${record}s/${encodeURIComponent(id)}/history/${encodeURIComponent(position)}/revert`;
      const { answer, text } = await askService(needs, access, Reverted, ['POST', path, { dry_run: dryRun }]);
      if (access.json === true) return needs.print(text);
      const told = (what: string, list: t.TypeOf<typeof Fields>): void =>
        list.forEach((one) => needs.print(`${what}\t${one.record} ${one.id}\t${one.fields.join(', ')}`));
      told(dryRun ? 'would be put back' : 'put back', answer.reverted);
      told('changed since, left as it is', answer.changed_since);
    });
