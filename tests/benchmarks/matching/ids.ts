import { FaceId, SpeakerId } from '../../../domain/kernel/ids.js';

export const faceId = (id: number): FaceId => {
  if (!FaceId.is(id)) throw new Error(`${id} is no face id`);
  return id;
};

export const speakerId = (id: number): SpeakerId => {
  if (!SpeakerId.is(id)) throw new Error(`${id} is no speaker id`);
  return id;
};
