import { SuggestionBlock } from '../../../domain/video/write-back.js';
import { type HttpAnswer, bodyOf } from '../http-client.js';
import { type Media, createMedia, expectOk, getAudio, getVideo } from './media.js';
import type { Callers } from './test-api.js';

/** Two voices (or faces), told apart by when they are heard (or seen); `0` and `1` are the numbers of an analysis. */
export const early = [
  { start: 0, end: 20 },
  { start: 40, end: 58 },
];
export const late = [{ start: 20, end: 40 }];
export const other = [{ start: 100, end: 130 }];
type Times = ReadonlyArray<{ readonly start: number; readonly end: number }>;

export const speech = (speakers: Readonly<Record<number, Times>>, parts: object = {}) => ({
  status: 'completed',
  speakers: Object.keys(speakers).map((id) => ({ speaker_id: Number(id) })),
  segments: Object.entries(speakers).flatMap(([id, times]) =>
    times.map((time) => ({ speaker_id: Number(id), ...time })),
  ),
  ...parts,
});
export const sight = (faces: Readonly<Record<number, Times>>, parts: object = {}) => ({
  status: 'completed',
  faces: Object.entries(faces).map(([id, tracks]) => ({ id: Number(id), tracks })),
  ...parts,
});

/** Both ids of two are exchanged. */
export const swapped = {
  renumbered: [
    { from: 1, to: 0 },
    { from: 0, to: 1 },
  ],
  discontinued: [],
};

export const positionOf = ({ headers }: HttpAnswer): string => headers.get('X-Event-Position') ?? 'none';

/** Requests about a recording whose analyses number differently. */
export const renumbering = (api: () => Callers) => {
  const analyseAudio = ({ audio }: Media, body: object) => expectOk(api().worker.put(`${audio}/analysis`, body));
  const analyseVideo = ({ video }: Media, body: object) => expectOk(api().worker.put(`${video}/analysis`, body));
  return {
    analyseAudio,
    analyseVideo,
    /** Voice 0 is early and voice 1 late; faces alike. */
    twoOfEach: async (parts: object = {}): Promise<Media> => {
      const media = await createMedia(api(), { videoStatus: null, audioStatus: null });
      await analyseVideo(media, sight({ 0: early, 1: late }));
      await analyseAudio(media, speech({ 0: early, 1: late }, parts));
      return media;
    },
    name: ({ audioId }: Media, speaker_id: number, text: string) =>
      expectOk(api().owner.put(`/v1/audios/${audioId}/speakers/names`, [{ speaker_id, name: text }])),
    map: ({ match }: Media, ...mappings: ReadonlyArray<object>) => expectOk(api().owner.put(match, { mappings })),
    swapSpeakers: (media: Media, parts: object = {}) => analyseAudio(media, speech({ 0: late, 1: early }, parts)),
    swapFaces: (media: Media, parts: object = {}) => analyseVideo(media, sight({ 0: late, 1: early }, parts)),
    speakersOf: async (media: Media) =>
      (await getAudio(api(), media)).speakers.map(({ speaker_id, name }) => [speaker_id, name]),
    facesOf: async (media: Media) =>
      (await getVideo(api(), media)).faces.map(({ id, name, speaker_id }) => [id, name, speaker_id]),
    block: async ({ suggestions }: Media) => bodyOf(SuggestionBlock, await expectOk(api().owner.get(suggestions))),
    pairsIn: async ({ suggestions }: Media) =>
      bodyOf(SuggestionBlock, await expectOk(api().owner.get(suggestions))).mappings.map(({ face_id, speaker_id }) => [
        face_id,
        speaker_id,
      ]),
  };
};
