import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { AudioRecord, Call, CostEstimate, QuoteLocation, ResultRow } from '../../client/index.js';
import { Check } from '../fields.js';
import { number, time } from '../format.js';
import { type Fields, fieldOf, listOf } from '../json.js';
import { useClient } from '../session.js';
import { Action, Badge, Button, Notice } from '../ui.js';
import { inWords, isNamed } from '../words.js';
import { speakerName } from './lanes.js';
import { type Recording, useRecording } from './use-records.js';

interface Props {
  readonly audio: AudioRecord;
}

/** A name of a speaker with the quote that shows it. */
interface Quoted {
  readonly speaker_id: number;
  readonly name: string;
  readonly quote?: string | undefined;
  readonly quote_location?: Pick<QuoteLocation, 'start'> | undefined;
}

/** The names that were found, and that nobody has used yet. */
const foundIn = ({ questions }: Pick<Recording, 'questions'>): ReadonlyArray<Quoted> =>
  questions.flatMap(({ speaker_id, names = [] }) =>
    names.filter(({ source }) => source === 'inference').map((name) => ({ speaker_id, ...name })),
  );

/** What inferences found about the speakers of an audio. */
export const inferredIn = (audio: AudioRecord): ReadonlyArray<Fields> =>
  listOf(fieldOf(audio, 'manual_name_inference_runs')).flatMap(({ results }) => listOf(results));

/** The names that speakers have from an inference. */
const usedIn = (audio: AudioRecord): ReadonlyArray<Quoted> =>
  inferredIn(audio).flatMap(({ speaker_id, name, quote, quote_location }) => {
    const isUsed = audio.speakers.some((one) => one.speaker_id === speaker_id && one.name === name);
    if (!isUsed || typeof speaker_id !== 'number' || typeof name !== 'string') return [];
    const start = fieldOf(quote_location, 'start');
    const isQuoted = typeof quote === 'string' && typeof start === 'number';
    return [{ speaker_id, name, ...(isQuoted ? { quote, quote_location: { start } } : {}) }];
  });

/** A speaker with a name, and the quote that shows it. */
const QuotedName = ({
  one: { speaker_id, name, quote, quote_location },
  children,
}: {
  readonly one: Quoted;
  readonly children?: ComponentChildren;
}) => {
  const { seek } = useRecording();
  return (
    <li class="actions">
      <strong>{speakerName(speaker_id, null)}</strong>{' '}
      <Badge tone={children === undefined ? 'good' : 'wait'}>{name}</Badge>
      {children}
      {quote !== undefined && quote_location !== undefined && (
        <Button
          text={`“${quote}” at ${time(quote_location.start)}`}
          kind="link"
          onPress={() => seek(quote_location.start)}
        />
      )}
    </li>
  );
};

/** The names that were found, each with its quote and a button to use it, and the names in use. */
const FoundNames = ({ audio }: Props) => {
  const client = useClient();
  const recording = useRecording();
  const found = foundIn(recording);
  const { audio_id } = audio;
  const use = (names: ReadonlyArray<Quoted>) => (): Promise<void> =>
    recording.write(
      `use ${names.length === 1 ? `the name ${names[0]?.name}` : `${names.length} names`}`,
      (options) =>
        client.speakers.rename(
          audio_id,
          names.map(({ speaker_id, name }) => ({ speaker_id, name })),
          options,
        ),
      'audio',
    );
  return (
    <>
      <ul class="names">
        {found.map((one) => (
          <QuotedName key={one.speaker_id} one={one}>
            <Action text="Use" kind="small" label={`Use ${one.name} for speaker ${one.speaker_id}`} run={use([one])} />
          </QuotedName>
        ))}
        {usedIn(audio).map((one) => (
          <QuotedName key={one.speaker_id} one={one} />
        ))}
      </ul>
      {found.length > 1 && <Action text={`Use all ${number(found.length)} names`} run={use(found)} />}
    </>
  );
};

/** Inference of speaker names: who is included, the estimated cost first, then what was not found and the actual cost. */
const Inference = ({ audio }: Props) => {
  const client = useClient();
  const recording = useRecording();
  const [price, setPrice] = useState<CostEstimate | null>(null);
  const [isForAll, setForAll] = useState(false);
  const [rows, setRows] = useState<ReadonlyArray<ResultRow>>([]);
  const [cost, setCost] = useState<string | null>(null);
  // Suggested names become questions about a video: without one they would be lost, so they are saved.
  const { audio_id, video_id, owner_id } = audio;
  const real = audio.speakers.filter(({ synthetic }) => !synthetic);
  const found = new Set(foundIn(recording).map(({ speaker_id }) => speaker_id));
  const open = real.filter(({ speaker_id, name }) => !isNamed(name) && !found.has(speaker_id));
  const targets = isForAll ? real : open;
  const others = real.length - open.length;
  const body = {
    target_speaker_ids: targets.map(({ speaker_id }) => speaker_id),
    infer_roles: true,
    // What was shown is the most that is charged.
    max_credits: price?.credits_max ?? null,
  };
  const show = async (call: Call<ReadonlyArray<ResultRow>>): Promise<void> => {
    const { data, response } = await call.withResponse();
    setRows(data);
    setPrice(null);
    setForAll(false);
    const [charge] = await client.credits
      .ledger(owner_id, { limit: 20 })
      .toArray(20)
      .then((all) => all.filter(({ run_id }) => run_id === response.run_id));
    setCost(charge === undefined ? null : `${number(-charge.amount)} credits were charged.`);
  };
  const nameOf = (id: number): string => speakerName(id, real.find(({ speaker_id }) => speaker_id === id)?.name);
  return (
    <>
      {open.length === 0 && <p class="quiet">Every speaker has a name, or one that was found and paid for.</p>}
      {others > 0 && (
        <Check
          checked={isForAll}
          onChange={(isChecked) => {
            setForAll(isChecked);
            setPrice(null);
          }}
        >
          Also pay for the {number(others)} {others === 1 ? 'speaker' : 'speakers'} with a name
        </Check>
      )}
      <div class="actions">
        <Action
          text="Estimate the cost"
          disabled={targets.length === 0}
          run={async () => setPrice(await client.names.estimate(audio_id, { ...body, max_credits: null }))}
        />
        {price !== null && (
          <>
            <span>
              {price.credits_min === price.credits_max ? '' : `${number(price.credits_min)} to `}
              {number(price.credits_max)} of {number(price.balance)} credits, for {number(targets.length)} speakers
            </span>
            {video_id !== null && (
              <Action
                text="Suggest names"
                disabled={!price.admitted}
                run={() => show(client.names.suggest(audio_id, body)).then(recording.refresh)}
              />
            )}
            <Action
              text="Infer and save names"
              kind="primary"
              disabled={!price.admitted}
              run={() =>
                recording.write('infer names', (options) => show(client.names.infer(audio_id, body, options)), 'audio')
              }
            />
          </>
        )}
      </div>
      {price !== null && price.reason !== null && <Notice>{inWords(price.reason)}</Notice>}
      {cost !== null && <Notice tone="good">{cost}</Notice>}
      <ul class="names">
        {rows
          .filter(({ speaker_id, name }) => name === undefined && !isNamed(nameOf(speaker_id)))
          .map(({ speaker_id, reason }) => (
            <li key={speaker_id}>
              <strong>{nameOf(speaker_id)}</strong>: <span class="quiet">no name found, {inWords(reason ?? '')}</span>
            </li>
          ))}
      </ul>
    </>
  );
};

/** The names that were found, and the inference of more. */
export const Names = (props: Props) => {
  const { eligible, reasons } = props.audio.name_inference;
  return (
    <>
      <FoundNames {...props} />
      {eligible ? (
        <>
          <p class="quiet">Finds the names of speakers in the transcript, each with the quote that shows it.</p>
          <Inference {...props} />
        </>
      ) : (
        <p class="quiet">Names cannot be inferred: {reasons.map(inWords).join('; ')}.</p>
      )}
    </>
  );
};
