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
export const inventedConversations: Readonly<Record<string, unknown>> = {
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
