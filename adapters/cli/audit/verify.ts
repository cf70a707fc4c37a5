import { readFileSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';
import type { Command } from 'commander';
import { type KeptSeal, verifyLog } from '../../../application/audit/verify-log.js';
import { SealedLog } from '../../../domain/audit-seal/contract.js';
import { type Fault, inOrderOfLog } from '../../../projections/audit/fault.js';
import { shownPosition } from '../../../projections/audit/shown-event.js';
import { parsedJson } from '../../runtime/json.js';
import { counted, type Paint, paint } from '../terminal.js';
import { type AuditNeeds, type CommonOptions, onLog, withLog } from './source.js';

const token = /^seal-(\d+)-([0-9a-f]{64})$/;

const digitsOf = (text: string): number => /^seal-\d+-([0-9a-f]*)/.exec(text)?.[1]?.length ?? 0;

/** A seal of version 1 does not say what it covers. */
const coversOfVersion1 = { covers: 'rows' };

/** A stored seal: the output of `audit seal`, or a file with its JSON. */
const keptSeal = (text: string): KeptSeal => {
  const found = token.exec(text);
  if (found !== null) return { kind: 'token', revision: Number(found[1]), hash: found[2] ?? '' };
  if (text.startsWith('seal-'))
    throw new Error(
      `${text} is not a whole seal: after seal-<number>- it must have 64 hexadecimal digits, and has ${digitsOf(text)}. Was it cut short?`,
    );
  if (text === '') throw new Error("'' is neither a seal nor a file");
  const json = parsedJson(readFileSync(text, 'utf8'));
  const sealed = typeof json === 'object' && json !== null && 'sealed' in json ? json.sealed : json;
  const read = SealedLog.decode(typeof sealed === 'object' ? { ...coversOfVersion1, ...sealed } : sealed);
  if (E.isRight(read)) return { kind: 'whole', sealed: read.right };
  throw new Error(`${text} holds no seal as audit seal --json prints it`);
};

const shownFaults = 20;

const faultLine = ({ red }: Paint, { kind, position, stream, revision, message }: Fault): string =>
  `  ${red(kind)} ${position === null ? '' : `position ${shownPosition(position)}, ${stream ?? ''}@${revision ?? ''}: `}${message}`;

/** `audit verify`: checks that the log is unchanged since it was written. */
export const verifyCommand = (needs: AuditNeeds): Command =>
  onLog('verify', 'check chains, seals, revisions, event ids and ledgers; exits 1 and names the first wrong event')
    .option('--seal <seal...>', 'a seal that was kept elsewhere: what `audit seal` printed, or a file of its JSON')
    .action((options: CommonOptions & { readonly seal?: ReadonlyArray<string> }) =>
      withLog(needs, options, async ({ stored, inspect, name }) => {
        const kept = (options.seal ?? []).map(keptSeal);
        const inspected = await needs.watched(inspect);
        const { faults: found, ...verified } = await needs.watched((onProgress) => verifyLog(stored, kept, onProgress));
        const faults = [...inspected, ...found].sort(inOrderOfLog);
        needs.exitWith(faults.length === 0 ? 0 : 1);
        const [first] = faults;
        if (options.json === true)
          return needs.print(JSON.stringify({ ...verified, first_fault: first ?? null, faults }));
        const colours = paint(needs.stdout);
        const { events, streams, unhashed, seals, sealed_up_to, is_whole } = verified;
        const read = `${counted(events, 'event')} in ${counted(streams, 'stream')}`;
        needs.print(`${name}: ${read}${is_whole ? '' : ' could be read'}, ${counted(seals, 'seal')}`);
        needs.print(
          sealed_up_to === null ? 'Nothing is sealed.' : `Sealed up to position ${shownPosition(sealed_up_to)}.`,
        );
        if (unhashed > 0) needs.print(`${counted(unhashed, 'event')} without a hash, from before hashes were written.`);
        if (first === undefined) return needs.print(colours.green('Nothing is wrong.'));
        const isCut = faults.length > shownFaults;
        needs.print(
          colours.red(`${counted(faults.length, 'fault')}${isCut ? `, of which the first ${shownFaults}` : ''}:`),
        );
        faults.slice(0, shownFaults).forEach((fault) => needs.print(faultLine(colours, fault)));
      }),
    );

/** `audit seal`: appends a seal over the whole log, and prints it so that it can be kept elsewhere. */
export const sealCommand = (needs: AuditNeeds): Command =>
  onLog('seal', 'check the log, append a seal over all of it, and print the seal to be kept elsewhere').action(
    (options: CommonOptions) =>
      withLog(needs, options, async ({ seal, name }) => {
        const sealed = await needs.watched(seal);
        if (E.isLeft(sealed))
          throw new Error(
            sealed.left._tag === 'LogIsWrong'
              ? `the log is wrong and was not sealed: ${sealed.left.first.message}`
              : `the log could not be sealed: ${'reason' in sealed.left ? sealed.left.reason : sealed.left._tag}`,
          );
        const { revision, hash, isNew } = sealed.right;
        const printed = `seal-${revision}-${hash}`;
        if (options.json === true)
          return needs.print(JSON.stringify({ log: name, is_new: isNew, seal: printed, sealed: sealed.right.sealed }));
        const { events, streams, position, merkle_root } = sealed.right.sealed;
        needs.print(
          `${name}: ${counted(events, 'event')} in ${counted(streams, 'stream')} are sealed, up to position ${shownPosition(position)}.`,
        );
        if (!isNew) needs.print('Nothing was written since the last seal, so there is no new one; this is the last.');
        needs.print(`Merkle root ${merkle_root}`);
        needs.print(`Keep this where the log is not; audit verify --seal takes it:\n${printed}`);
      }),
  );
