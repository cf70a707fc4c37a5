import { Command } from 'commander';
import * as t from 'io-ts';
import { type Transcript, conversation } from './conversation.js';

/** What the demo needs from outside. */
export interface DemoNeeds {
  /** Starts the service on data of its own. */
  readonly start: () => Promise<{ readonly url: string; readonly key: string; readonly stop: () => Promise<void> }>;
  /** Imports the clip that ships with the project; answers what it understood, or rejects. */
  readonly importClip: (to: {
    readonly url: string;
    readonly key: string;
    readonly videoId: string;
    readonly audioId: string;
  }) => Promise<ReadonlyArray<string>>;
  readonly print: (line: string) => void;
}

const videoId = 'demo-clip';
const audioId = 'demo-clip-audio';
const match = `/v2/videos/${videoId}/speaker-face-match`;
const status = `/v2/videos/${videoId}/statuses?speaker_face_match_status=true`;

const History = t.type({ events: t.array(t.type({ position: t.string, type: t.string })) });

const Faces = t.type({
  faces: t.array(t.type({ id: t.number, name: t.union([t.string, t.null]), speaker_id: t.union([t.number, t.null]) })),
});

const Block = t.type({ mappings: t.array(t.type({ accuracy: t.union([t.number, t.null]) })) });

const pause = 200;
const attempts = 150;

/** Asks for the run's status until it is no longer in the queue; shows the first and the last answer. */
const untilDone = async (talk: Transcript, left = attempts): Promise<void> => {
  const { ask, show } = talk;
  const answer = await ask('GET', status);
  const waiting = answer.text.includes('"speaker_face_match_status":"queue"');
  if (waiting && left > 0) {
    if (left === attempts) show(answer);
    await new Promise((resume) => setTimeout(resume, pause));
    return untilDone(talk, left - 1);
  }
  show(answer);
  if (!answer.text.includes('"speaker_face_match_status":"completed"')) throw new Error('the run did not complete');
};

/** How many faces have which speakers. */
const matchedFaces = async ({ ask, tell }: Transcript, when: string): Promise<void> => {
  const { json } = await ask('GET', `/v2/videos/${videoId}`);
  if (!Faces.is(json)) throw new Error('the video has another shape');
  const matched = json.faces.filter(({ speaker_id }) => speaker_id !== null);
  const pairs = matched.map(({ id, name, speaker_id }) => `face ${id} "${name}" = speaker ${speaker_id}`);
  tell(`${when}: ${pairs.length === 0 ? 'no face has a speaker' : pairs.join(', ')}`);
};

const undo = async (talk: Transcript, position: string | null): Promise<void> => {
  const revert = `/v2/videos/${videoId}/history/${position ?? ''}/revert`;
  await matchedFaces(talk, 'before');
  await talk.request('POST', revert, { dry_run: true });
  await talk.request('POST', revert);
  await matchedFaces(talk, 'after');
};

const mainJob = async (talk: Transcript, needs: DemoNeeds, url: string, key: string): Promise<void> => {
  const { title, tell } = talk;
  title('1. A real clip comes in: face tracks of a video analysis, turns of a diarisation');
  (await needs.importClip({ url, key, videoId, audioId })).forEach(tell);

  title('2. Ask for suggestions: nothing is written to the faces');
  await talk.request('POST', `${match}/suggestions`, {});
  await untilDone(talk);

  title('3. The suggestion block: who is who, how sure, and why');
  const block = await talk.request('GET', `${match}/suggestions`);

  title('4. Commit it by sending the block back as it is');
  const { position } = await talk.request('PUT', match, block.json);

  title('5. Name a speaker: the matched face follows');
  await talk.request('PUT', `/v1/audios/${audioId}/speakers/names`, [{ speaker_id: 0, name: 'Ada Example' }]);
  await talk.request('GET', `/v2/videos/${videoId}`);

  title('6. Undo the commit: the faces lose their speakers, and keep the name given since');
  await undo(talk, position);

  title('7. Every step is an event that can be read back');
  const { json: history } = await talk.request('GET', `/v2/videos/${videoId}/history`);
  if (History.is(history)) history.events.forEach(({ position, type }) => tell(`${position} ${type}`));
  await talk.request('GET', `/v2/videos/${videoId}/match-runs`);
  await summary(talk, block.json);
};

/** The last words: what the service made of the clip, a line a step. */
const summary = async ({ ask, tell, title }: Transcript, block: unknown): Promise<void> => {
  const { json: video } = await ask('GET', `/v2/videos/${videoId}`);
  const { json: history } = await ask('GET', `/v2/videos/${videoId}/history`);
  const mappings = Block.is(block) ? block.mappings : [];
  const surest = mappings.map(({ accuracy }) => accuracy ?? 0).sort((a, b) => b - a)[0];
  const named = Faces.is(video) ? video.faces.filter(({ name }) => name !== null && !/^Face \d+$/.test(name)) : [];
  const rows = [
    ['suggested', `${mappings.length} faces with speakers${surest === undefined ? '' : `, the surest at ${surest}`}`],
    ['committed', 'by sending the block back as it was'],
    ['named', named.map(({ name }) => name).join(', ') || 'nobody'],
    ['undone', 'the commit alone; the name given since stayed'],
    ['recorded', `${History.is(history) ? history.events.length : 0} events of the video, each with who and when`],
  ];
  title('In short');
  rows.forEach(([step = '', outcome = '']) => tell(`${step.padEnd(11)}${outcome}`));
};

/** `media-analysis demo`: the main job on a real clip, each request and answer shown; ends by itself. */
export const demoCommand = (needs: DemoNeeds): Command =>
  new Command('demo')
    .description('show the main job on a real clip: import, suggest, commit, undo, history; leaves nothing behind')
    .option('--full', 'show all lines of requests and answers')
    .action(async ({ full }: { readonly full?: true }) => {
      const { url, key, stop } = await needs.start();
      try {
        await mainJob(conversation(url, key, needs.print, full === true), needs, url, key);
        needs.print('\nDone: the service stops, and its data goes with it.');
      } finally {
        await stop();
      }
    });
