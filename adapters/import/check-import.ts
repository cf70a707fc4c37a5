import * as E from 'fp-ts/lib/Either.js';
import { VideoId, isAddressable } from '../../domain/kernel/ids.js';
import type { Parcel } from './pack-files.js';
import type { Ask, RequestFailure } from './service-client.js';

const notFound = 404;

const lacking =
  'this key lacks the permission WORKER, which sending analyses needs: give another key (--key, MEDIA_ANALYSIS_API_KEY), ' +
  'or let an admin issue one: media-analysis keys issue <account> --permission WORKER';

/**
 * Whether the key may send analyses: asked before anything is created. A service that cannot be asked, as it is an older
 * one, decides by itself later.
 */
export const checkRights = async (ask: Ask): Promise<E.Either<RequestFailure, void>> => {
  const me = await ask('GET /v1/me', (client) => client.me.get());
  if (E.isLeft(me)) return me.left.status === notFound ? E.right(undefined) : me;
  const { admin, permissions } = me.right;
  return admin || permissions.includes('WORKER') ? E.right(undefined) : E.left({ status: null, message: lacking });
};

/** What the service takes in one analysis. */
const most = { faces: 10_000, tracks: 1_000_000, speakers: 10_000, segments: 1_000_000, utterances: 200_000 };

/** What the service would refuse of an import; null when there is nothing. */
export const refusedBefore = (
  { faces, speech }: Pick<Parcel, 'faces' | 'speech'>,
  ids: ReadonlyArray<string | undefined>,
): string | null => {
  const counts = {
    faces: faces?.faces.length ?? 0,
    tracks: faces?.faces.reduce((sum, { tracks }) => sum + tracks.length, 0) ?? 0,
    speakers: speech?.speakers.length ?? 0,
    segments: speech?.segments.length ?? 0,
    utterances: speech?.transcript?.utterances.length ?? 0,
  };
  const bad = ids.find((id) => id !== undefined && !(VideoId.is(id) && isAddressable(id)));
  if (bad !== undefined) return `the id ${bad} is not one of 1 to 128 characters of A-Za-z0-9._:-, other than . and ..`;
  for (const name of ['faces', 'tracks', 'speakers', 'segments', 'utterances'] as const)
    if (counts[name] > most[name])
      return `the analysis would have ${counts[name]} ${name}; the service takes ${most[name]} at most`;
  return null;
};
