import type { Position } from '../../../domain/kernel/recorded-event.js';
import type { TagValue } from '../../../domain/tag-registry/contract.js';
import type { memoryRows } from '../../tables.js';
import { effectiveDecisions } from '../../link-decisions.js';
import type { marts, MartRow } from './catalogue.js';

/** Positions of events by their ids. */
type Positions = ReadonlyMap<string, Position>;

type ReadModels = ReturnType<typeof memoryRows>;
type RowsOf<Name extends keyof typeof marts> = Iterable<MartRow<(typeof marts)[Name]>>;

function* videos({ videos: rows, videoTags }: ReadModels): RowsOf<'videos'> {
  for (const { record } of rows.all())
    yield {
      video_id: record.video_id,
      owner_id: record.owner_id,
      title: record.title,
      status: record.status,
      audio_id: record.audio_id,
      faces: record.faces.length,
      matched_faces: record.faces.filter(({ speaker_id }) => speaker_id !== null).length,
      tags: videoTags.get(record.video_id)?.tags.length ?? 0,
      match_status: record.speaker_face_match.status,
      created_at: record.created_at,
      updated_at: record.updated_at,
    };
}

function* faces({ videos: rows }: ReadModels): RowsOf<'faces'> {
  for (const { record } of rows.all())
    for (const { id, name, speaker_id, accuracy, personality_traits } of record.faces)
      yield {
        video_id: record.video_id,
        face_id: id,
        name,
        speaker_id,
        accuracy,
        has_personality_traits: personality_traits !== null,
      };
}

function* audios({ audios: rows }: ReadModels): RowsOf<'audios'> {
  for (const { record } of rows.all())
    yield {
      audio_id: record.audio_id,
      owner_id: record.owner_id,
      title: record.title,
      kind: record.kind,
      status: record.status,
      video_id: record.video_id,
      speakers: record.speakers.length,
      has_transcript: record.transcript_available,
      created_at: record.created_at,
      updated_at: record.updated_at,
    };
}

function* speakers({ audios: rows }: ReadModels): RowsOf<'speakers'> {
  for (const { record } of rows.all())
    for (const { speaker_id, name, role, synthetic, deal_person_id } of record.speakers)
      yield { audio_id: record.audio_id, speaker_id, name, role, synthetic, deal_person_id };
}

function* decisions({ videos: rows }: ReadModels): RowsOf<'decisions'> {
  for (const { record, decisions: made } of rows.all())
    for (const { position, at, speaker_id, face_id, verdict, via, by } of effectiveDecisions(made))
      yield {
        position,
        recorded_at: at,
        video_id: record.video_id,
        speaker_id,
        face_id,
        verdict,
        via,
        account_id: by,
      };
}

const secondsBetween = (from: string | null, to: string | null): number | null =>
  from === null || to === null ? null : (Date.parse(to) - Date.parse(from)) / 1_000;

function* runs({ matchRuns, lateArrivals }: ReadModels): RowsOf<'runs'> {
  const arrivals = new Map<string, number>();
  for (const { run_id } of lateArrivals.all()) arrivals.set(run_id, (arrivals.get(run_id) ?? 0) + 1);
  for (const { view } of matchRuns.all())
    yield {
      run_id: view.run_id,
      video_id: view.video_id,
      audio_id: view.audio_id,
      mode: view.mode,
      outcome: view.outcome ?? (view.superseded_by === null ? null : 'superseded'),
      queued_at: view.queued_at,
      ended_at: view.ended_at,
      seconds: secondsBetween(view.queued_at, view.ended_at),
      attribution: view.attribution,
      late: view.late,
      late_write_suspected: view.late_write_suspected,
      superseded_by: view.superseded_by,
      changed_faces: view.changed_faces.length,
      reverted_at: view.reverted_at,
      late_arrivals: arrivals.get(view.run_id) ?? 0,
      error: view.error,
    };
}

function* lateWrites({ lateWrites: rows }: ReadModels): RowsOf<'late_writes'> {
  for (const row of rows.all())
    yield {
      position: row.position,
      recorded_at: row.at,
      video_id: row.video_id,
      run_id: row.run_id,
      status: row.status,
      reason: row.reason,
      attribution: row.attribution,
      late_write_suspected: row.late_write_suspected,
      late: row.late,
      matches: row.matches.length,
      changed_faces: row.changes.length,
      reverted_at: row.reverted_at,
      account_id: row.actor.account_id,
      key_id: row.actor.key_id,
      request_id: row.request_id,
    };
}

function* ledger({ ledger: rows }: ReadModels, positions: Positions): RowsOf<'ledger'> {
  for (const entry of rows.all())
    yield {
      position: positions.get(entry.entry_id) ?? null,
      entry_id: entry.entry_id,
      account_id: entry.account_id,
      key_id: entry.key_id,
      recorded_at: entry.at,
      kind: entry.kind,
      category: entry.category,
      amount: Number(entry.amount),
      balance_after: Number(entry.balance_after),
      reason: entry.reason,
      run_id: entry.run_id,
      session_id: entry.session_id,
      audio_id: entry.audio_id,
      request_id: entry.request_id,
    };
}

function* accounts({ accounts: rows, creditAccounts }: ReadModels): RowsOf<'accounts'> {
  for (const { account_id, name, created_at } of rows.all())
    yield { account_id, name, balance: Number(creditAccounts.get(account_id)?.balance ?? 0), created_at };
}

function* keys({ apiKeys: rows }: ReadModels): RowsOf<'keys'> {
  for (const {
    key_id,
    account_id,
    label,
    admin,
    permissions,
    made_by,
    created_at,
    expires_at,
    revoked_at,
  } of rows.all())
    yield {
      key_id,
      account_id,
      label,
      admin,
      permissions: permissions.join(','),
      made_by,
      created_at,
      expires_at,
      revoked_at,
    };
}

const valueType = (value: TagValue): string => {
  if (Array.isArray(value)) return 'string_list';
  return typeof value;
};

function* tags({ videoTags }: ReadModels): RowsOf<'tags'> {
  for (const { video_id, tags: written } of videoTags.all())
    for (const { key, value, category, source, updated_at, updated_by } of written)
      yield {
        video_id,
        key,
        category,
        value_type: valueType(value),
        value: JSON.stringify(value),
        number_value: typeof value === 'number' ? value : null,
        source,
        updated_at,
        updated_by,
      };
}

/** The rows of the marts that show the current state. `positions`: of the entries of ledgers. */
export const currentRows = (rows: ReadModels, positions: Positions) => ({
  videos: videos(rows),
  faces: faces(rows),
  audios: audios(rows),
  speakers: speakers(rows),
  decisions: decisions(rows),
  runs: runs(rows),
  late_writes: lateWrites(rows),
  ledger: ledger(rows, positions),
  accounts: accounts(rows),
  keys: keys(rows),
  tags: tags(rows),
});
