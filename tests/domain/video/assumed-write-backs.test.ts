import { expect } from 'chai';
import type { VideoEvent } from '../../../domain/video/events.js';
import { assumed, matched, runFailed } from '../../support/assumed-answers.js';
import { faceId, runId } from '../../support/values.js';
import { broken, found, writeBack } from '../../support/run-commands.js';
import {
  audioWith,
  block,
  change,
  committed,
  completed,
  face,
  proposed,
  queued,
  recordedMatch,
  stored,
  theVideo,
} from '../../support/video-events.js';

const video = completed(face(1, 'Face 1'), face(2, 'Zoe'));
const speakers = audioWith([1, 'Ann'], [2, 'Bob']);
const originOf = (event: VideoEvent | undefined) =>
  event?.type === 'MatchesCommitted' || event?.type === 'SuggestionsStored' ? event.data : undefined;

const faceOne = change(1, { name: 'Face 1' }, matched(1, 'Ann'), ['analysis', 'speaker']);

describe('a write-back without a run id: the stored mode decides', () => {
  it('suggest: stores the block, on the newest run', () =>
    theVideo
      .given(...video, queued('r', 'suggest', 0))
      .cases([
        writeBack(null, 10, found(), audioWith()),
        [stored(block('r', 10, { unmatched_faces: [faceId(1), faceId(2)] }), 10, { run: 'r', ...assumed('r') })],
      ]));

  it('cleared: changes faces, on the newest run', () =>
    theVideo
      .given(...video, queued('r', 'commit', 0))
      .cases([
        writeBack(null, 10, found(proposed(1, 1)), speakers),
        [committed('r', 10, { ...assumed('r'), matches: [recordedMatch(1, 1)], changes: [faceOne] })],
      ]));

  it("the race: an old suggest run's late answer takes the commit branch, and is suspected", () =>
    theVideo.given(...video, queued('s', 'suggest', 0), queued('r', 'commit', 901, { supersedes: ['s'] })).cases([
      writeBack(null, 902, found(proposed(1, 1)), speakers),
      [
        committed('r', 902, {
          ...assumed('s', 'r'),
          late_write_suspected: true,
          matches: [recordedMatch(1, 1)],
          changes: [faceOne],
        }),
      ],
    ]));

  it('is also suspected when the stale suggest run is the newest', () => {
    const given = theVideo.given(...video, queued('s', 'suggest', 0));
    expect(originOf(given.when(writeBack(null, 900, found(), speakers)).thenEvents()[0])?.late_write_suspected).to.be
      .false;
    expect(originOf(given.when(writeBack(null, 900.001, found(), speakers)).thenEvents()[0])?.late_write_suspected).to
      .be.true;
  });

  it('is not suspected when only commit runs could have sent it', () => {
    const events = theVideo
      .given(...video, queued('c', 'commit', 0), queued('r', 'commit', 5_000, { supersedes: ['c'] }))
      .when(writeBack(null, 5_001, found(), speakers))
      .thenEvents();
    expect(originOf(events[0])).to.deep.include({ late_write_suspected: false, ...assumed('c', 'r') });
  });

  it('without an open run creates a run of its own', () => {
    const ended = [...video, queued('r', 'commit', 0), committed('r', 5, {})];
    theVideo.given(...ended).cases([
      writeBack(null, 10, found(proposed(1, 1)), speakers),
      [
        committed('unattributed', 10, {
          attribution: 'unattributed',
          candidate_run_ids: [],
          matches: [recordedMatch(1, 1)],
          changes: [faceOne],
        }),
      ],
    ]);
    const [event] = theVideo
      .given(...video)
      .when(writeBack(null, 10, found(), speakers))
      .thenEvents();
    expect(event?.type).to.equal('MatchesCommitted');
  });

  it('that failed needs a run to fail', () => {
    theVideo.given(...video).cases([writeBack(null, 10, broken), { _tag: 'NoRunToFail', run_id: null }]);
    theVideo
      .given(...video, queued('r', 'suggest', 0), stored(block('r', 5), 5, { run: 'r', ...assumed('r') }))
      .cases([writeBack(null, 10, broken), { _tag: 'NoRunToFail', run_id: runId('r') }]);
    theVideo
      .given(...video, queued('r', 'commit', 0))
      .cases([writeBack(null, 10, broken), [runFailed(10, assumed('r'), {})]]);
  });

  it('is not limited to the targets of the run that it is attributed to', () => {
    const events = theVideo
      .given(...video, queued('r', 'commit', 0, { targets: [2] }))
      .when(writeBack(null, 10, found(proposed(1, 1)), speakers))
      .thenEvents();
    expect(events).to.have.length(1);
  });
});
