import type { TestApi } from './test-api.js';
import type { Media } from './media.js';
import type { HttpClient } from '../http-client.js';

/** An endpoint with a request body, and a valid body for it. */
export interface BodiedEndpoint {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly client: HttpClient;
  readonly body: unknown;
}

const stretch = { start: 0, end: 1 };

/** Every endpoint for media, matches and names that has a request body. */
export const bodiedEndpoints = (
  { owner, worker, admin }: Pick<TestApi, 'owner' | 'worker' | 'admin'>,
  media: Media,
): ReadonlyArray<BodiedEndpoint> => {
  const put = (client: HttpClient, path: string, body: unknown): BodiedEndpoint => ({
    method: 'PUT',
    path,
    client,
    body,
  });
  const post = (client: HttpClient, path: string, body: unknown): BodiedEndpoint => ({
    method: 'POST',
    path,
    client,
    body,
  });
  const v1 = `/v1/audios/${media.audioId}`;
  return [
    put(owner, media.match, { mappings: [{ face_id: 1, speaker_id: 1, name: 'Ada' }] }),
    post(owner, media.match, { target_speaker_ids: [1] }),
    post(owner, media.suggestions, { target_speaker_ids: [1] }),
    put(worker, media.writeBack, {
      run_id: 'none',
      status: 'completed',
      error: 'x',
      matches: [{ face_id: 1, speaker_id: 1, accuracy: 0.5, channel: 'name', evidence: {} }],
      unmatched_speakers: [{ speaker_id: 2, reason: 'x' }],
    }),
    put(worker, `${media.video}/analysis`, {
      status: 'completed',
      faces: [
        {
          id: 1,
          name: 'Ada',
          personality_traits: {},
          tracks: [stretch],
          talking: [{ ...stretch, score: 0.5 }],
          captions: [{ ...stretch, text: 'Ada' }],
        },
      ],
    }),
    put(worker, `${media.video}/faces/1/personality-traits`, { personality_traits: { calm: 1 } }),
    put(worker, `${media.audio}/analysis`, {
      status: 'completed',
      speakers: [{ speaker_id: 1, name: 'Ada', role: 'agent', synthetic: false }],
      segments: [{ speaker_id: 1, ...stretch }],
      transcript: [{ speaker_id: 1, ...stretch, text: 'Hello' }],
      provider_supplied: false,
      speech_segments: 'x',
    }),
    put(owner, `${v1}/transcript/replace`, { transcript: [{ speaker_id: 1, ...stretch, text: 'Hello' }] }),
    put(owner, `/v1/videos/${media.videoId}/faces/names`, [{ face_id: 1, name: 'Ada' }]),
    put(owner, `${v1}/speakers/names`, [{ speaker_id: 1, name: 'Ada' }]),
    put(owner, `${v1}/speakers/roles`, [{ speaker_id: 1, role: 'agent' }]),
    post(owner, `${media.audio}/speakers/merge`, { from: 1, into: 2 }),
    post(owner, '/v2/videos', { video_id: 'fuzz', title: 'x', kind: 'upload', audio_id: 'none' }),
    post(owner, '/v2/audios', {
      audio_id: 'fuzz',
      title: 'x',
      kind: 'upload',
      video_id: 'none',
      deal_persons: [{ person_id: 'p', name: 'Ada' }],
    }),
    post(owner, `${media.video}/provider-tags`, {
      source: 'importer.x',
      tags: [{ key: 'vpm.a', value: 'x' }],
      dry_run: false,
    }),
    post(owner, `${media.video}/tags`, { tags: [{ key: 'label.a', value: 'x' }] }),
    put(admin, '/v2/tag-registry/label.fuzz', { category: 'label', value_type: 'string', description: 'x' }),
    post(admin, '/v1/accounts', { account_id: 'fuzz', name: 'x' }),
    post(admin, '/v1/accounts/owner/credits', { amount: 1, reason: 'x' }),
    put(admin, '/v1/accounts/owner/spending-window', { limit: 1, period_seconds: 60 }),
    put(admin, '/v1/accounts/owner/retention', { days: 36_500 }),
    post(admin, '/v1/accounts/owner/keys', { label: 'x', admin: false, permissions: ['WORKER'] }),
  ];
};
