import * as t from 'io-ts';
import { speakerId } from '../../support/values.js';
import { dataReader } from '../support/data.js';
import { type Conversation, lowerCased, type Truth } from './conversations.js';
import { inventedConversations } from './invented-conversations.js';

const spoken = t.keyof({
  full: null,
  partial: null,
  not_spoken: null,
  unnamed: null,
  operator: null,
  unlabelled: null,
});
const Line = t.intersection([
  t.type({ speaker: t.number, text: t.string }),
  t.partial({ start: t.number, end: t.number }),
]);
const Calls = t.readonlyArray(
  t.type({
    id: t.string,
    utterances: t.readonlyArray(Line),
    gold: t.record(t.string, t.type({ name: t.union([t.string, t.null]), spoken })),
  }),
);
const Segment = t.tuple([t.keyof({ agent: null, caller: null }), t.number, t.number, t.string, t.string]);
const Harper = t.readonlyArray(
  t.type({
    sid: t.string,
    gold: t.record(t.string, t.type({ name: t.string })),
    segments: t.readonlyArray(Segment),
  }),
);
const Abcd = t.readonlyArray(
  t.type({
    convo_id: t.number,
    scenario: t.type({ personal: t.type({ customer_name: t.string }) }),
    original: t.readonlyArray(t.tuple([t.string, t.string])),
  }),
);

const read = dataReader({
  variable: 'NAMING_DATA',
  about:
    'Give the folder that holds earnings21/, qmsum/, harper-valley/ and abcd/ as argument ' +
    'or in NAMING_DATA. They are made from Earnings-21 (github.com/revdotcom/speech-datasets, CC BY-SA 4.0), QMSum ' +
    '(github.com/Yale-LILY/QMSum, MIT), the transcripts of changelog.com (CC BY-SA 4.0), the meetings of ' +
    'github.com/ethereum/pm (CC BY-SA 3.0), Harper Valley Bank (github.com/cricketclub/gridspace-stanford-harper-valley, ' +
    'CC BY 4.0) and ABCD (github.com/asappresearch/abcd, MIT).',
  samples: () => inventedConversations,
});

const calls = (file: string): readonly Conversation[] =>
  read(file, Calls).map(({ id, utterances, gold }) => ({
    id,
    transcript: utterances.map(({ speaker, text, start, end }, at) => ({
      speaker_id: speakerId(speaker),
      text,
      start: start ?? at * 10,
      end: end ?? at * 10 + 10,
    })),
    truth: new Map(
      Object.entries(gold).map(([id, one]): [ReturnType<typeof speakerId>, Truth] => [
        speakerId(Number(id)),
        { name: one.name ?? '', spoken: one.spoken, role: null },
      ]),
    ),
  }));

const [agent, customer] = [speakerId(0), speakerId(1)];

const isSaid = (name: string, texts: readonly string[]): boolean => {
  const said = texts.join(' ').toLowerCase();
  return name
    .toLowerCase()
    .split(' ')
    .every((word) => said.includes(word));
};

const serviceCall = (
  id: string,
  lines: readonly { readonly speaker: typeof agent; readonly text: string }[],
  names: { readonly agent: string | null; readonly customer: string },
): Conversation => {
  const texts = lines.map(({ text }) => text);
  const truthOf = (name: string | null, role: 'agent' | 'customer'): Truth =>
    name === null
      ? { name: '', spoken: 'unnamed', role }
      : { name, spoken: isSaid(name, texts) ? 'full' : 'not_spoken', role };
  return {
    id,
    transcript: lines.map(({ speaker, text }, at) => ({ speaker_id: speaker, text, start: at * 5, end: at * 5 + 5 })),
    truth: new Map([
      [agent, truthOf(names.agent, 'agent')],
      [customer, truthOf(names.customer, 'customer')],
    ]),
  };
};

/** `human`: transcribed by people; `recognised`: by speech recognition. */
const harper = (words: 'human' | 'recognised'): readonly Conversation[] =>
  read('harper-valley/conversations.json', Harper).map(({ sid, gold, segments }) =>
    serviceCall(
      sid,
      segments.map((segment) => ({
        speaker: segment[0] === 'agent' ? agent : customer,
        text: words === 'human' ? segment[3] : segment[4],
      })),
      { agent: gold['agent']?.name ?? null, customer: gold['caller']?.name ?? '' },
    ),
  );

const abcd = (): readonly Conversation[] =>
  read('abcd/abcd_sample.json', Abcd).map(({ convo_id, scenario, original }) =>
    serviceCall(
      String(convo_id),
      original
        .filter(([who]) => who !== 'action')
        .map(([who, text]) => ({ speaker: who === 'agent' ? agent : customer, text })),
      { agent: null, customer: scenario.personal.customer_name },
    ),
  );

/** The sets by name. */
export const readSets = (): Readonly<Record<string, readonly Conversation[]>> => {
  const reference = calls('earnings21/calls.reference.json.gz');
  const recognised = calls('earnings21/calls.amazon-asr.reference-diarisation.json.gz');
  const podcasts = calls('changelog/episodes.json.gz');
  return {
    'Earnings-21 reference': reference,
    'Earnings-21 lower-cased': reference.map(lowerCased),
    'Earnings-21 recognised': recognised,
    'QMSum committees': calls('qmsum/committee.json.gz'),
    'Changelog podcasts': podcasts,
    'Changelog, lower-cased': podcasts.map(lowerCased),
    'Ethereum PM, recognised': calls('ethereum-pm/meetings.json.gz'),
    'Harper Valley, written': harper('human'),
    'Harper Valley, recognised': harper('recognised'),
    ABCD: abcd(),
  };
};
