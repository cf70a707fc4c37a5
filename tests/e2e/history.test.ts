import { expect } from 'chai';
import { versionOf } from '../../domain/event-catalogue.js';
import * as t from 'io-ts';
import { useTestApi } from '../support/e2e/test-api.js';
import { HistoryEvent, getHistory } from '../support/e2e/history.js';
import { expectOk, createMedia } from '../support/e2e/media.js';
import { triggerCommit, matched, runSuggest, writeBack } from '../support/e2e/runs.js';
import { bodyOf } from '../support/http-client.js';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('the history of a record', () => {
  const api = useTestApi();

  /** A video with many changes, and its record after each revision. */
  const lived = async () => {
    const media = await createMedia(api());
    const seen: Array<unknown> = [];
    const look = async () => {
      const { body, headers } = await expectOk(api().owner.get(media.video));
      seen[Number(headers.get('ETag')?.replaceAll('"', ''))] = body;
    };
    const steps: ReadonlyArray<() => Promise<unknown>> = [
      () => runSuggest(api(), media, matched(1, 1)),
      () => expectOk(api().owner.put(media.match, { mappings: [{ face_id: 2, speaker_id: 3, name: 'Mary' }] })),
      () =>
        expectOk(api().worker.put(`${media.video}/faces/2/personality-traits`, { personality_traits: { calm: 1 } })),
      async () =>
        expectOk(writeBack(api(), media, { run_id: await triggerCommit(api(), media), matches: [matched(3, 3)] })),
      () => expectOk(api().owner.put(`/v1/audios/${media.audioId}/speakers/names`, [{ speaker_id: 3, name: 'M. J.' }])),
    ];
    await look();
    for (const step of steps) {
      await step();
      await look();
      await new Promise((resume) => setTimeout(resume, 3));
    }
    return { media, seen };
  };

  it('contains its events in order, each complete', async () => {
    const { media } = await lived();
    for (const path of [media.video, media.audio]) {
      const events = await getHistory(api().owner, path);
      expect(events.map(({ revision }) => revision)).to.deep.equal(events.map((_, index) => index));
      expect(events.map(({ position }) => position)).to.deep.equal(events.map(({ position }) => position).toSorted());
      expect(new Set(events.map(({ event_id }) => event_id)).size).to.equal(events.length);
      for (const event of events) {
        expect(event).to.have.all.keys(...Object.keys(HistoryEvent.props));
        expect(event.event_id).to.match(uuid);
        expect(event.at).to.match(timestamp);
        expect(event.version).to.equal(versionOf(event.type));
        expect(event.type).to.match(/^[A-Z][A-Za-z]+$/);
        expect(event.actor.account_id).to.be.oneOf(['owner', 'worker']);
        expect(event.causation_id).to.match(uuid);
      }
    }
  });

  it('shows the cause of an event: the event of the other record', async () => {
    const { media } = await lived();
    const renamed = (await getHistory(api().owner, media.audio)).at(-1);
    const followed = (await getHistory(api().owner, media.video)).at(-1);
    expect(followed).to.include({ type: 'FacesRenamed', causation_id: renamed?.event_id });
    expect(followed?.request_id).to.equal(renamed?.request_id);
  });

  it('comes in pages', async () => {
    const { media } = await lived();
    const all = await getHistory(api().owner, media.video);
    const Page = t.type({ events: t.array(HistoryEvent), next_cursor: t.union([t.string, t.null]) });
    const walk = async (cursor: string): Promise<ReadonlyArray<unknown>> => {
      const { events, next_cursor } = bodyOf(Page, await api().owner.get(`${media.video}/history?limit=2${cursor}`));
      return next_cursor === null ? events : [...events, ...(await walk(`&cursor=${next_cursor}`))];
    };
    expect(await walk('')).to.deep.equal(all);
    const whole = bodyOf(Page, await api().owner.get(`${media.video}/history?limit=${all.length}`));
    expect(whole).to.deep.equal({ events: all, next_cursor: null });
  });

  it('gives the record at each revision and at each time', async () => {
    const { media, seen } = await lived();
    const events = await getHistory(api().owner, media.video);
    for (const [revision, record] of seen.entries()) {
      if (record === undefined) continue;
      const at = await expectOk(api().owner.get(`${media.video}?at=${revision}`));
      expect(at.body).to.deep.equal(record);
      expect(at.headers.get('ETag')).to.equal(`"${revision}"`);
      const time = encodeURIComponent(events[revision]?.at ?? '');
      const atTime = await expectOk(api().owner.get(`${media.video}?at=${time}`));
      const last = events.findLast((event) => event.at <= (events[revision]?.at ?? ''));
      expect(atTime.headers.get('ETag')).to.equal(`"${last?.revision}"`);
    }
    const future = await expectOk(api().owner.get(`${media.video}?at=9999-01-01T00:00:00Z`));
    expect(future.body).to.deep.equal(seen.at(-1));
    for (const at of ['9998-12-31', '9998-12-31T23:59:59.123456%2B02:00', '9998-12-31T00:00:00-10:30'])
      expect((await expectOk(api().owner.get(`${media.video}?at=${at}`))).body).to.deep.equal(seen.at(-1));
    const audio = await expectOk(api().owner.get(`${media.audio}?at=0`));
    expect(audio.body).to.deep.include({ speakers: [], status: 'queue' });
  });
});
