import * as t from 'io-ts';
import type { Utterance } from '../../../domain/audio/events.js';
import type { SpeakerId } from '../../../domain/kernel/ids.js';
import { speakerId } from '../../support/values.js';
import { dataReader } from '../support/data.js';

const call = [
  {
    id: 'invented',
    utterances: [
      { speaker: 0, text: 'Good morning. My name is Ada Lovelace, and our next question comes from Grace Hopper.' },
      { speaker: 1, text: 'Thank you, Ada. How did it begin?' },
      { speaker: 2, text: 'We should go on.' },
    ],
    gold: {
      0: { name: 'Ada Lovelace', spoken: 'full' },
      1: { name: 'Grace Hopper', spoken: 'full' },
      2: { name: null, spoken: 'unnamed' },
    },
  },
];

const said = {
  agent: 'Hello, this is Harper Valley National Bank, my name is Ada. How can I help you?',
  caller: 'Hi, my name is Grace Hopper. I lost my card.',
};

/** Invented conversations in the place and form of the public sets: for the short form. */
const inventedConversations: Readonly<Record<string, unknown>> = {
  'earnings21/calls.reference.json.gz': call,
  'earnings21/calls.amazon-asr.reference-diarisation.json.gz': call,
  'changelog/episodes.json.gz': call,
  'qmsum/committee.json.gz': call,
  'ethereum-pm/meetings.json.gz': call,
  'harper-valley/conversations.json': [
    {
      sid: 'invented',
      gold: { agent: { name: 'Ada' }, caller: { name: 'Grace Hopper' } },
      segments: [
        ['agent', 0, 5, said.agent, said.agent.toLowerCase()],
        ['caller', 5, 10, said.caller, said.caller.toLowerCase()],
      ],
    },
  ],
};

/** Whether a name is ever said: in full, in part, or not; the others have no name to find. */
const Spoken = t.keyof({
  full: null,
  partial: null,
  not_spoken: null,
  unnamed: null,
  operator: null,
  unlabelled: null,
});
export interface Truth {
  readonly name: string;
  readonly spoken: t.TypeOf<typeof Spoken>;
}

/** The utterances of one recording, and the true speakers. */
export interface Conversation {
  readonly id: string;
  readonly transcript: readonly Utterance[];
  readonly truth: ReadonlyMap<SpeakerId, Truth>;
}

/** The conversation without capitals and punctuation, as some recognisers write it. */
const lowerCased = ({ transcript, ...rest }: Conversation): Conversation => ({
  ...rest,
  transcript: transcript.map((utterance) => ({
    ...utterance,
    text: utterance.text
      .toLowerCase()
      .replace(/[-‑–—/]+/gu, ' ')
      .replace(/[^\p{L}\p{N}\p{M}\s]+/gu, '')
      .replace(/\s+/gu, ' ')
      .trim(),
  })),
});

const Line = t.intersection([
  t.type({ speaker: t.number, text: t.string }),
  t.partial({ start: t.number, end: t.number }),
]);
const Calls = t.readonlyArray(
  t.type({
    id: t.string,
    utterances: t.readonlyArray(Line),
    gold: t.record(t.string, t.type({ name: t.union([t.string, t.null]), spoken: Spoken })),
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
const read = dataReader({
  variable: 'NAMING_DATA',
  about:
    'Give the folder that holds earnings21/, qmsum/, changelog/, ethereum-pm/ and harper-valley/ as argument ' +
    'or in NAMING_DATA. They are made from Earnings-21 (github.com/revdotcom/speech-datasets, CC BY-SA 4.0), QMSum ' +
    '(github.com/Yale-LILY/QMSum, MIT), the transcripts of changelog.com (CC BY-SA 4.0), the meetings of ' +
    'github.com/ethereum/pm (CC BY-SA 3.0) and Harper Valley Bank ' +
    '(github.com/cricketclub/gridspace-stanford-harper-valley, CC BY 4.0).',
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
      Object.entries(gold).map(([id, one]): [SpeakerId, Truth] => [
        speakerId(Number(id)),
        { name: one.name ?? '', spoken: one.spoken },
      ]),
    ),
  }));

const isSaid = (name: string, texts: readonly string[]): boolean => {
  const said = texts.join(' ').toLowerCase();
  return name
    .toLowerCase()
    .split(' ')
    .every((word) => said.includes(word));
};

/** Calls of an agent and a customer, as people wrote them down. */
const harper = (): readonly Conversation[] =>
  read('harper-valley/conversations.json', Harper).map(({ sid, gold, segments }) => {
    const texts = segments.map(([, , , text]) => text);
    const truth = ['agent', 'caller'].map((who, id): [SpeakerId, Truth] => {
      const name = gold[who]?.name;
      const spoken = name === undefined ? 'unnamed' : isSaid(name, texts) ? 'full' : 'not_spoken';
      return [speakerId(id), { name: name ?? '', spoken }];
    });
    return {
      id: sid,
      transcript: segments.map(([who, , , text], at) => ({
        speaker_id: speakerId(who === 'agent' ? 0 : 1),
        text,
        start: at * 5,
        end: at * 5 + 5,
      })),
      truth: new Map(truth),
    };
  });

/** The sets by name. */
export const readSets = (): Readonly<Record<string, readonly Conversation[]>> => {
  const reference = calls('earnings21/calls.reference.json.gz');
  return {
    'Earnings-21 reference': reference,
    'Earnings-21 lower-cased': reference.map(lowerCased),
    'Earnings-21 recognised': calls('earnings21/calls.amazon-asr.reference-diarisation.json.gz'),
    'QMSum committees': calls('qmsum/committee.json.gz'),
    'Changelog podcasts': calls('changelog/episodes.json.gz'),
    'Ethereum PM, recognised': calls('ethereum-pm/meetings.json.gz'),
    'Harper Valley, written': harper(),
  };
};
