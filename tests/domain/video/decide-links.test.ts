import { expect } from 'chai';
import type { LinkDecision, VideoCommand, VideoRefusal } from '../../../domain/video/contract.js';
import { decidedLinks } from '../../../domain/video/decisions/decide-links.js';
import type { VideoState } from '../../../domain/video/state.js';
import { registeredIn } from '../../support/specification.js';
import { at, speakerId } from '../../support/values.js';
import { audio, decided, matched, ruling, video } from '../../support/link-decisions.js';
import { undo } from '../../support/reverts.js';
import {
  analyse,
  analysed,
  change,
  completed,
  face,
  facesMatched,
  registered,
  seen,
  theVideo,
} from '../../support/video-events.js';

const confirm = (speaker_id: number, face_id: number | null): LinkDecision => ({
  speaker_id,
  face_id,
  verdict: 'confirmed',
});
const reject = (speaker_id: number, face_id: number): LinkDecision => ({ speaker_id, face_id, verdict: 'rejected' });
const decide = (...decisions: ReadonlyArray<LinkDecision>): VideoCommand => ({
  type: 'DecideLinks',
  decisions,
  audio,
  at: at(9),
});
/** Three faces, of which the second is matched. */
const three = theVideo.given(...video);
const linksOf = (state: VideoState) => {
  const { faces, ruled_out } = registeredIn(state);
  return decidedLinks(faces, ruled_out);
};

describe("people's decisions about links", () => {
  it('confirm a face like a PUT without a name: the speaker moves, a placeholder is replaced', () =>
    theVideo
      .given(...completed(face(1, 'Face 1'), face(2, 'Zoe', matched(1))))
      .cases([
        decide(confirm(1, 1)),
        [
          decided([
            change(2, { name: 'Zoe', ...matched(1) }, { name: 'Zoe' }),
            change(1, { name: 'Face 1' }, { name: 'Ann', ...matched(1, null) }, ['analysis', 'speaker']),
          ]),
        ],
      ]));
  it('remove a match if the speaker is not visible or the pair is rejected', () => {
    const unlinked = change(2, { name: 'Zoe', ...matched(2) }, { name: 'Zoe' });
    three.cases(
      [decide(confirm(2, null)), [decided([unlinked], [ruling(2, null)])]],
      [decide(reject(2, 2)), [decided([unlinked], [ruling(2, 2)])]],
    );
  });
  it('leave matches of others: a face rejected for one speaker may be another’s', () => {
    const both = completed(face(1, 'Ann', matched(1)), face(2, 'Zoe', matched(2)));
    theVideo.given(...both).cases([decide(reject(3, 2), reject(1, 2)), [decided([], [ruling(3, 2), ruling(1, 2)])]]);
    const unlinked = change(1, { name: 'Ann', ...matched(1) }, { name: 'Ann' });
    theVideo
      .given(...both)
      .cases([decide(confirm(1, null), reject(2, 1)), [decided([unlinked], [ruling(1, null), ruling(2, 1)])]]);
  });
  it('can confirm one face and reject others for a speaker, and vice versa', () => {
    const confirmed = change(3, { name: 'Max' }, { name: 'Max', ...matched(3, null) });
    for (const decisions of [
      [reject(3, 1), reject(1, 3), confirm(3, 3)],
      [confirm(3, 3), reject(3, 1), reject(1, 3)],
    ])
      three.cases([
        decide(...decisions),
        [
          decided(
            [confirmed],
            decisions.flatMap(({ speaker_id, face_id, verdict }) =>
              verdict === 'rejected' ? [ruling(speaker_id, face_id)] : [],
            ),
          ),
        ],
      ]);
  });
  it('can say that several speakers are not visible', () =>
    three.cases([decide(confirm(1, null), confirm(3, null)), [decided([], [ruling(1, null), ruling(3, null)])]]));
  it('move a confirmed face from one speaker to another', () => {
    const moved = change(2, { name: 'Zoe', ...matched(2) }, { name: 'Zoe', ...matched(3, null) });
    for (const decisions of [[confirm(3, 2)], [confirm(3, 2), confirm(2, null)], [confirm(3, 2), reject(2, 2)]])
      expect(
        three.events(decide(...decisions)).flatMap(({ type, data }) => (type === 'LinksDecided' ? data.changes : [])),
      ).to.deep.equal([moved]);
  });
  it('are kept without a match, and recorded once however often they are sent', () =>
    three.cases([
      decide(reject(3, 3), reject(3, 3), confirm(1, null)),
      [decided([], [ruling(3, 3), ruling(1, null)])],
    ]));
  it('are replaced by later ones', () => {
    theVideo
      .given(...video, decided([], [ruling(3, 3), ruling(3, null)]))
      .cases([
        decide(confirm(3, 3)),
        [
          decided(
            [change(3, { name: 'Max' }, { name: 'Max', ...matched(3, null) })],
            [ruling(3, 3, false), ruling(3, null, false)],
          ),
        ],
      ]);
    theVideo
      .given(...completed(face(1, 'Ann', matched(1, null))))
      .cases([
        decide(reject(1, 1)),
        [decided([change(1, { name: 'Ann', ...matched(1, null) }, { name: 'Ann' })], [ruling(1, 1)])],
      ]);
  });
  it('are cleared by a PUT, in a second event', () =>
    theVideo
      .given(...video, decided([], [ruling(3, 3)]))
      .cases([
        { type: 'MatchFaces', mappings: [{ face_id: 3, speaker_id: 3 }], audio, at: at(9) },
        [
          facesMatched(9, [change(3, { name: 'Max' }, { name: 'Max', ...matched(3, null) })]),
          decided([], [ruling(3, 3, false)]),
        ],
      ]));
});

describe("people's decisions about links that are refused", () => {
  const refused = (refusal: VideoRefusal, ...decisions: ReadonlyArray<LinkDecision>) =>
    three.cases([decide(...decisions), refusal]);
  it('are empty', () => refused({ _tag: 'EmptyDecisions' }));
  it('contradict each other in one request', () => {
    refused({ _tag: 'DuplicateDecision', speaker_id: 1, face_id: 2 }, confirm(1, 1), confirm(1, 2));
    refused({ _tag: 'DuplicateDecision', speaker_id: 2, face_id: 1 }, confirm(1, 1), confirm(2, 1));
    refused({ _tag: 'DuplicateDecision', speaker_id: 1, face_id: null }, confirm(1, 1), confirm(1, null));
    refused({ _tag: 'DuplicateDecision', speaker_id: 1, face_id: 1 }, confirm(1, 1), reject(1, 1));
  });
  it('name an unknown face or speaker', () => {
    refused({ _tag: 'InvalidFace', face_id: 9 }, confirm(1, 9));
    refused({ _tag: 'InvalidSpeaker', speaker_id: 9 }, confirm(9, 1));
    refused({ _tag: 'InvalidSpeaker', speaker_id: 9 }, confirm(9, null));
  });
  it('exceed the maximum of a video, also through an undo', () => {
    const most = Array.from({ length: 10_000 }, (_, id) => ruling(1, id, true));
    const refusal = { _tag: 'TooManyDecisions', most: 10_000 } as const;
    const full = theVideo.given(...video, decided([], most));
    full.cases(
      [decide(reject(2, 2)), refusal],
      [
        decide(confirm(2, 2)),
        [decided([change(2, { name: 'Zoe', ...matched(2) }, { name: 'Zoe', ...matched(2, null) })])],
      ],
      [undo(decided([], [ruling(2, 2, false)])), refusal],
    );
  });
  it('come before the video is completed or has an audio', () => {
    const unprocessed = { _tag: 'VideoUnprocessed', status: 'processing' } as const;
    theVideo.given(registered(), analysed([face(1, null)], 'processing')).cases([decide(confirm(1, 1)), unprocessed]);
    const alone = theVideo.given(registered({ audio: null }), analysed([face(1, null)]));
    alone.cases([decide(confirm(1, 1)), { _tag: 'AudioMissing' }]);
  });
});

describe("what stands of people's decisions", () => {
  const given = theVideo.given(
    ...video,
    decided([change(1, { name: 'Face 1' }, { name: 'Ann', ...matched(1, null) })], [ruling(3, 3), ruling(2, null)]),
  );
  it('survive an analysis that keeps the ids, and end with a face or a speaker', () => {
    const after = (...faces: ReadonlyArray<number>) => linksOf(given.after(analyse(faces.map((id) => seen(id)))));
    expect(after(1, 2, 3)).to.deep.equal(linksOf(given.state()));
    expect(after(2)).to.deep.equal({ confirmed: [], unseen: [2], rejected: [] });
    const withdrawn = given.after({
      type: 'WithdrawSpeaker',
      audio_revision: 1,
      speaker_id: speakerId(3),
      name: null,
      merged_into: null,
      at: at(9),
    });
    expect(linksOf(withdrawn).rejected).to.deep.equal([]);
  });
});
