import { useState } from 'preact/hooks';
import type { AudioRecord, Call, MediaAnalysis, ResultRow } from '../../client/index.js';
import { number, time } from '../format.js';
import { Action, Badge, Notice } from '../ui.js';
import { speakerName } from './lanes.js';
import type { Records } from './use-video.js';

interface Props {
  readonly client: MediaAnalysis;
  readonly audio: AudioRecord;
  readonly records: Pick<Records, 'write' | 'refresh'>;
  readonly onSeek: (seconds: number) => void;
}

interface Price {
  readonly credits_min: number;
  readonly credits_max: number;
  readonly balance: number;
  readonly admitted: boolean;
  readonly reason: string | null;
}

const notAdmitted: Readonly<Record<string, string>> = {
  zero_balance: 'The account has no credits.',
  negative_balance: 'The credit balance of the account is negative.',
  window_used_up: 'The spending window of the account has no room for this.',
  held: 'Calls in progress reserve the credits of the account: try again when they have ended.',
};

const reasonsOf = ({ name_inference: { reasons } }: AudioRecord): string =>
  reasons.map((one) => one.replaceAll('_', ' ')).join(', ');

/** Inference of speaker names: shows the estimated cost first, then the result and the actual cost. */
export const Names = ({ client, audio, records, onSeek }: Props) => {
  const [price, setPrice] = useState<Price | null>(null);
  const [rows, setRows] = useState<ReadonlyArray<ResultRow> | null>(null);
  const [cost, setCost] = useState<string | null>(null);
  const { audio_id, owner_id, speakers } = audio;
  if (!audio.name_inference.eligible) return <p class="quiet">Names cannot be inferred: {reasonsOf(audio)}.</p>;
  const targets = speakers.filter(({ synthetic }) => !synthetic).map(({ speaker_id }) => speaker_id);
  // What was shown is the most that is charged.
  const body = { target_speaker_ids: targets, infer_roles: true, max_credits: price?.credits_max ?? null };
  const nameOf = (id: number): string => speakerName(id, speakers.find(({ speaker_id }) => speaker_id === id)?.name);
  const show = async (call: Call<ReadonlyArray<ResultRow>>): Promise<string | null> => {
    const { data, response } = await call.withResponse();
    setRows(data);
    setPrice(null);
    const [charge] = await client.credits
      .ledger(owner_id, { limit: 20 })
      .toArray(20)
      .then((all) => all.filter(({ run_id }) => run_id === response.run_id));
    setCost(charge === undefined ? null : `${number(-charge.amount)} credits were charged.`);
    return response.position;
  };
  const infer = (): Promise<void> =>
    records.write('infer names', (options) => show(client.names.infer(audio_id, body, options)), 'audio');
  return (
    <>
      <p class="quiet">Finds the names of speakers in the transcript, each with the quote that shows it.</p>
      <div class="actions">
        <Action run={async () => setPrice(await client.names.estimate(audio_id, { ...body, max_credits: null }))}>
          Estimate the cost
        </Action>
        {price !== null && (
          <>
            <span>
              {number(price.credits_min)} to {number(price.credits_max)} of {number(price.balance)} credits
            </span>
            <Action
              disabled={!price.admitted}
              run={() => show(client.names.suggest(audio_id, body)).then(records.refresh)}
            >
              Suggest names
            </Action>
            <Action kind="primary" disabled={!price.admitted} run={infer}>
              Infer and save names
            </Action>
          </>
        )}
      </div>
      {price !== null && price.reason !== null && <Notice>{notAdmitted[price.reason] ?? price.reason}</Notice>}
      {cost !== null && <Notice tone="good">{cost}</Notice>}
      {rows !== null && (
        <ul class="names">
          {rows.map(({ speaker_id, name, quote, reason, role, quote_location }) => (
            <li key={speaker_id}>
              <strong>{nameOf(speaker_id)}</strong>:{' '}
              {name === undefined ? (
                <span class="quiet">{reason?.replaceAll('_', ' ')}</span>
              ) : (
                <Badge tone="good">{name}</Badge>
              )}
              {role !== undefined && <Badge>{role}</Badge>}
              {quote !== undefined && quote_location !== undefined && (
                <button type="button" class="link" onClick={() => onSeek(quote_location.start)}>
                  “{quote}” at {time(quote_location.start)}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
};
