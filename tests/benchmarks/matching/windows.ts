import type { Clip } from './clips.js';

type Stretch = readonly [number, number];

/** Talking less than this many seconds in a window is no link to be found. */
const enough = 0.3;

const cut = (stretches: readonly Stretch[], [from, to]: Stretch): [number, number][] =>
  stretches.flatMap(([start, end]): [number, number][] =>
    Math.min(end, to) > Math.max(start, from) ? [[Math.max(start, from), Math.min(end, to)]] : [],
  );

const seconds = (stretches: readonly Stretch[]): number =>
  stretches.reduce((sum, [start, end]) => sum + end - start, 0);

/**
 * The part of a clip in a window. A link is to be found if the face is seen talking for 0.3 s. A face that is seen,
 * but hardly talks, is no mistake for its own speaker, who then is neither to be found nor off screen.
 */
const partOf = (clip: Clip, window: Stretch): Clip => {
  const speakers = clip.speakers
    .map((speaker) => ({ ...speaker, segments: cut(speaker.segments, window) }))
    .filter(({ segments }) => segments.length > 0);
  const speakerOf = new Map(clip.gold.map(({ face_id, speaker_id }) => [face_id, speaker_id]));
  const faces = clip.faces
    .map((face): Clip['faces'][number] => {
      const tracks = face.tracks
        .map(({ visible, talking }) => ({ visible: cut(visible, window), talking: cut(talking, window) }))
        .filter(({ visible }) => visible.length > 0);
      const own = speakerOf.get(face.face_id);
      if (own === undefined || seconds(tracks.flatMap(({ talking }) => talking)) >= enough) return { ...face, tracks };
      const others = clip.speakers.map(({ speaker_id }) => speaker_id).filter((id) => id !== own);
      return { ...face, tracks, kind: 'silent', not_speakers: others };
    })
    .filter(({ tracks }) => tracks.length > 0);
  const seen = new Set(faces.map(({ face_id }) => face_id));
  const talking = new Set(faces.filter(({ kind }) => kind === 'speaking').map(({ face_id }) => face_id));
  const heard = new Set(speakers.map(({ speaker_id }) => speaker_id));
  const visibleOnes = clip.gold.filter(({ face_id }) => seen.has(face_id)).map(({ speaker_id }) => speaker_id);
  const unseen = clip.gold.map(({ speaker_id }) => speaker_id).filter((id) => !visibleOnes.includes(id));
  return {
    ...clip,
    speakers,
    faces,
    gold: clip.gold.filter(({ face_id, speaker_id }) => talking.has(face_id) && heard.has(speaker_id)),
    offscreen_speakers: [...clip.offscreen_speakers, ...unseen].filter((id) => heard.has(id)),
  };
};

/** A clip cut into windows of a length in seconds, those with speech. */
export const windowsOf = (clip: Clip, length: number): readonly Clip[] => {
  const times = [
    ...clip.speakers.flatMap(({ segments }) => segments),
    ...clip.faces.flatMap(({ tracks }) => tracks.flatMap(({ visible }) => visible)),
  ];
  const [start, end] = [Math.min(...times.map((time) => time[0])), Math.max(...times.map((time) => time[1]))];
  return Array.from({ length: Math.ceil((end - start) / length) }, (_, n) =>
    partOf(clip, [start + n * length, start + (n + 1) * length]),
  ).filter(({ speakers }) => speakers.length > 0);
};
