/** The key and the event of all that follows. */
export const key = Buffer.alloc(32, 7);
export const event = { stream: 'video-v', id: '0190a1c2-7b1e-7000-8000-000000000001', type: 'VideoRegistered.v2' };

export const matched = {
  audio_id: 'v7-audio',
  changes: [5, 4].map((face_id) => ({
    face_id,
    before: { name: `Person No ${face_id}`, speaker_id: 3, accuracy: null, personality_traits: null },
    after: { name: `Person No ${face_id}`, speaker_id: 0, accuracy: null, personality_traits: null },
    named_by: null,
  })),
  speakers: [],
  at: '2026-11-22T20:18:12.690Z',
};

/** Data as it is stored: compressed, and as its JSON. */
export const storedForms = [
  {
    sealed:
      'dRqYMtHOqP77Gqa9Htk/5pMoY/wBog6Iej35mO9/KlccLID9a5CYji6ZrH2MGXf+ZJGk3T7Vj9MlBQHjvwlbWsKadG+a1aE2QTAnZZRTrzoZ' +
      '9DFdRf8kPRESgu2Ctx9gX5XbtS6vaXiCAHYURXkHR84nheUp',
    v: 3,
    data: matched,
  },
  { sealed: 'G1MzqS7Wgb3J27fTxgNcwJTS53cVOF6LMpV42yGkwUgGGKdRvhx/BOEYHQ==', v: 3, data: { title: 'Ada' } },
];

/** Data as versions of the service stored it that were never released. */
export const earlierForms = [
  { sealed: 'FTWz5PPk1e0O/0x4z+hxolCfgTo1tOIaNMvKCpQGznLMhxiAol0IVymNkX8=', v: 1 },
  {
    sealed:
      '4EF/PJtyzD4bX53a1C2TIeR5dL06+qnLQyKBngt6Lr0PeqSJCRdZdkuzoJM5Qhu5DI6D9SythPwPzQMxt2v7U+BXiIlFOWIgi/XCMRyVwzhFY4TECgPw' +
      '9+vU62PuCDqzSByj39CasP4d8kchix2QCl/AIRMfYQ==',
    v: 2,
  },
];
