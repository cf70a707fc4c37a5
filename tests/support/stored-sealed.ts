/** The key and the event of all that follows. */
export const key = Buffer.alloc(32, 7);
export const event = { stream: 'video-v', id: '0190a1c2-7b1e-7000-8000-000000000001', type: 'VideoRegistered.v2' };

const words = {
  transcript: Array.from({ length: 40 }, (_, id) => ({ speaker_id: id, start: id, end: id + 1, text: `word ${id}` })),
};

/** As versions of the service stored data: as its JSON is, deflated, and deflated as short texts were for a while. */
const storedShort = 'FTWz5PPk1e0O/0x4z+hxolCfgTo1tOIaNMvKCpQGznLMhxiAol0IVymNkX8=';
const storedLong =
  'CKqV3DIlsAXDAHa1TNwCupNo4Wi5gpZozPVBdLnLOxb827qQggpTcKOnzxqqPHWbByprypr7EUTZMCD5FAxmxDaVzm9DLR7oVI3jPLIXtOEpI3' +
  'TUo0rfa8+oCrGMR6CcX+EKr2BrYgb4xroWPcgZAEixHN28Y2B/YaF5MwaVnWd+mZRGzDIhT8XDnP/aEws17Cr5TyfQEdFgeShbm967lpDcoDKF' +
  'Hhu6Ev4bxI779G9qaH42GL7kKgkMf1LlqLHZiIJ4V8k/bAlO/0DIlcoIt2GwmJAF+PMmAimog6R3Z2MgwKHWEAAX8Tj/vmmsKHh+ZqAUFzpU9a' +
  'QMGGweuOESYapkeLGfq/s6NeOWIvXqy+hGLZV058bOPHy8G9DexU+ULybwIq8PTI/4fEYXjV3eawRbUeOLIrE5GTuFXl12aPP1lKXKFNG0ev79' +
  '4x8OBxltHI8bHnMnGQep48CSmkdgVNREfxmEa9NeJkPWK+TRpj2MDIRXV4GexCpnkO1rQX2P9cZi4LWU9E5UrfS8rLgKk3Rb0pE7z4b36KsIaa' +
  '48jRQ89ErNgdLe4MlEUg==';

const storedOnce =
  '0xusS8ltHpGVwcutEusrXq2eNNmwxQhULH6OHR7u6rqZiSlvnh07cPsnVcnYVGpbgzavqjwq7xZu9L2zaE2rbFnwcunvdrDU3ROGusRLjoVYz7lb' +
  'yzP1pMhU0I7EUDY++WnCsekvGkHS145mxfj3BA==';
const storedOnceInUtf8 = 'At+yzlT5WxpgPDvP5guorXZrn1TU4+et/QEP5vzSls0at/x2qAFYvKF9YibnPxM=';

/** As all short texts were stored for a while, and those are whose objects have unusual shapes. */
export const storedByLz4 =
  '58J3kHnnEe+jTizZEVmIxQA1O87Pva6lG6QGkQVsv7fJjuQUFj8f5eGxPHmXm7D3TP/JqUEPLfHtPNk2GxqnDEEeOBFXuXUsmfSESLVMWpQzBC3d' +
  'QITRIHSzWYte/J7Ukhcc3pNMYjlBuDkimTMeXKLjvedCZE4tlH2hDEahzSDwee9sszDpvzEV4uIWUb8Au3m03Z6D';

/** As most events are stored today. */
const storedByShapes =
  '4EF/PJtyzD4bX53a1C2TIeR5dL06+qnLQyKBngt6Lr0PeqSJCRdZdkuzoJM5Qhu5DI6D9SythPwPzQMxt2v7U+BXiIlFOWIgi/XCMRyVwzhFY4TECgPw' +
  '9+vU62PuCDqzSByj39CasP4d8kchix2QCl/AIRMfYQ==';
const storedByShapesOfAll =
  'GRl07Z+ty/eAEpCphec0wX7lxIe91Ur6URg/ZQjlKomLkpRDvjkIvV03NS77kWnwHckEeymoOOlTgT30CUi3ElLg5a13rc1iqRq2J0/1xKWsfK1M96BR' +
  'EpbFVEXCtLNGIATfAbHY6/VaaJdNHRNUF1E9uy40rZD/zsoXDU70zzsb72jAJgGugsENkXh8n4Qq/JmOj71FD0M8FaBLkog=';

/** Every kind of value. */
const everything = {
  audio_id: 'a',
  changes: [],
  // oxfmt-ignore
  speakers: [
    true, false, null, -1, 1.5, 47, 48, 65_535, 65_536, '', 'Zoë 🙂', 'x'.repeat(79), 'x'.repeat(80),
    { openness: 0.25, notes: ['x'.repeat(79), 'a', 'a'] },
  ],
  at: 'a',
};

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

/** Stored data of every form that there has been, each with `v` and with what it holds. */
export const storedForms = [
  { sealed: storedShort, v: 1, data: { title: 'Ada' } },
  { sealed: storedLong, v: 1, data: words },
  { sealed: storedOnce, v: 1, data: matched },
  { sealed: storedOnceInUtf8, v: 1, data: { name: `${'Zoë '.repeat(40)}🙂` } },
  { sealed: storedByLz4, v: 1, data: matched },
  { sealed: storedByShapes, v: 2, data: matched },
  { sealed: storedByShapesOfAll, v: 2, data: everything },
];
