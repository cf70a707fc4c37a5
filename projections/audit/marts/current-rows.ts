import type { Position } from '../../../domain/kernel/recorded-event.js';
import type { memoryRows } from '../../tables.js';
import { effectiveDecisions } from '../../link-decisions.js';
import type { MartName, marts, MartRow } from './catalogue.js';

type ReadModels = ReturnType<typeof memoryRows>;

/** Positions of events by their ids. */
type Positions = ReadonlyMap<string, Position>;

const secondsBetween = (from: string | null, to: string | null): number | null =>
  from === null || to === null ? null : (Date.parse(to) - Date.parse(from)) / 1_000;

const countBy = <Row>(rows: ReadonlyArray<Row>, keyOf: (row: Row) => string): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  return counts;
};

/** One of the marts that show the current state, and its rows. `positions`: of the entries of ledgers. */
const current = <Name extends MartName>(
  name: Name,
  rowsOf: (rows: ReadModels, positions: Positions) => ReadonlyArray<MartRow<(typeof marts)[Name]>>,
) => ({ name, rowsOf });

/** The marts that show the current state. A column takes the field of its name; other fields are left out. */
export const currentMarts = [
  current('videos', ({ videos, videoTags }) => {
    const tags = countBy(videoTags.all(), ({ video_id }) => video_id);
    return videos.all().map(({ record }) => ({
      ...record,
      faces: record.faces.length,
      matched_faces: record.faces.filter(({ speaker_id }) => speaker_id !== null).length,
      tags: tags.get(record.video_id) ?? 0,
      match_status: record.speaker_face_match.status,
    }));
  }),
  current('faces', ({ videos }) =>
    videos.all().flatMap(({ record: { video_id, faces } }) =>
      faces.map((face) => ({
        ...face,
        video_id,
        face_id: face.id,
        has_personality_traits: face.personality_traits !== null,
      })),
    ),
  ),
  current('audios', ({ audios }) =>
    audios.all().map(({ record }) => ({
      ...record,
      speakers: record.speakers.length,
      has_transcript: record.transcript_available,
    })),
  ),
  current('speakers', ({ audios }) =>
    audios.all().flatMap(({ record: { audio_id, speakers } }) => speakers.map((speaker) => ({ ...speaker, audio_id }))),
  ),
  current('decisions', ({ videos }) =>
    videos.all().flatMap(({ record: { video_id }, decisions }) =>
      effectiveDecisions(decisions).map((made) => ({
        ...made,
        video_id,
        recorded_at: made.at,
        account_id: made.by,
      })),
    ),
  ),
  current('runs', ({ matchRuns, lateArrivals }) => {
    const arrivals = countBy(lateArrivals.all(), ({ run_id }) => run_id);
    return matchRuns.all().map(({ view }) => ({
      ...view,
      outcome: view.outcome ?? (view.superseded_by === null ? null : 'superseded'),
      seconds: secondsBetween(view.queued_at, view.ended_at),
      changed_faces: view.changed_faces.length,
      late_arrivals: arrivals.get(view.run_id) ?? 0,
    }));
  }),
  current('late_writes', ({ lateWrites }) =>
    lateWrites.all().map(({ actor, ...row }) => ({
      ...row,
      ...actor,
      recorded_at: row.at,
      matches: row.matches.length,
      changed_faces: row.changes.length,
    })),
  ),
  current('ledger', ({ ledger }, positions) =>
    ledger.all().map((entry) => ({
      ...entry,
      position: positions.get(entry.entry_id) ?? null,
      recorded_at: entry.at,
      amount: Number(entry.amount),
      balance_after: Number(entry.balance_after),
    })),
  ),
  current('accounts', ({ accounts, ledger }) => {
    const balances = new Map(ledger.all().map(({ account_id, balance_after }) => [account_id, Number(balance_after)]));
    return accounts.all().map((account) => ({ ...account, balance: balances.get(account.account_id) ?? 0 }));
  }),
  current('keys', ({ apiKeys }) => apiKeys.all().map((key) => ({ ...key, permissions: key.permissions.join(',') }))),
  current('tags', ({ videoTags }) =>
    videoTags.all().map(({ value, ...tag }) => ({
      ...tag,
      value_type: Array.isArray(value) ? 'string_list' : typeof value,
      value: JSON.stringify(value),
      number_value: typeof value === 'number' ? value : null,
    })),
  ),
];
