import { useEffect, useState } from 'preact/hooks';
import type { MediaAnalysis } from '../client/index.js';
import { number, words } from './format.js';
import { Notice } from './ui.js';

interface Step {
  readonly name: string;
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'wait';
}

const nothingOfIt = /contains no (?:faces|speech)/;

interface Recording {
  readonly video_id: string;
  readonly audio_id: string;
  /** Which file each half was taken from. */
  readonly taken: Map<'faces' | 'speech', string>;
}

const recordingOf = async (client: MediaAnalysis, title: string): Promise<Recording> => {
  const { video_id } = await client.videos.create({ title });
  const { audio_id } = await client.audios.create({ video_id, title });
  return { video_id, audio_id, taken: new Map() };
};

/** Sends a file, and tells in words what was taken from it. Fails with what the service says of it. */
const send = async (client: MediaAnalysis, { video_id, audio_id, taken }: Recording, file: File): Promise<string> => {
  const document = await file.text();
  const options = { query: { format: 'auto' } };
  const halves = [
    ['faces', () => client.videos.recordAnalysis(video_id, document, options)],
    ['speech', () => client.audios.recordAnalysis(audio_id, document, options)],
  ] as const;
  const told: string[] = [];
  const failures: unknown[] = [];
  for (const [half, record] of halves) {
    const earlier = taken.get(half);
    try {
      if (earlier !== undefined)
        throw new Error(
          `${half}: taken from ${earlier} already; the command "media-analysis import" joins several files`,
        );
      await record();
      taken.set(half, file.name);
      told.push(half);
    } catch (error) {
      failures.push(error);
    }
  }
  if (told.length > 0) return `${told.join(' and ')}, imported`;
  throw failures.find((failure) => !nothingOfIt.test(words(failure))) ?? failures[0];
};

/** Takes the files of one recording: what video and audio analyses of many tools and providers write. */
export const ImportFiles = ({ client }: { readonly client: MediaAnalysis }) => {
  const [steps, setSteps] = useState<ReadonlyArray<Step>>([]);
  const [isOver, setOver] = useState(false);
  const say = (step: Step): void => setSteps((before) => [...before.filter(({ name }) => name !== step.name), step]);
  const take = async (files: ReadonlyArray<File>): Promise<void> => {
    setSteps([]);
    const [first] = files;
    if (first === undefined) return;
    try {
      const recording = await recordingOf(client, first.name.replace(/\.[^.]*$/, ''));
      for (const [at, file] of files.entries()) {
        const { name } = file;
        const place = files.length === 1 ? '' : `${number(at + 1)} of ${number(files.length)}, `;
        const size = `${number(Math.ceil(file.size / 1_000))} kB`;
        say({ name, text: `${place}sending ${size} …`, tone: 'wait' });
        try {
          say({ name, text: await send(client, recording, file), tone: 'good' });
        } catch (error) {
          say({ name, text: words(error), tone: 'bad' });
        }
      }
      if (recording.taken.size > 0) return;
      // Nothing half made is left behind.
      await client.videos.erase(recording.video_id);
      await client.audios.erase(recording.audio_id);
    } catch (error) {
      say({ name: 'import', text: words(error), tone: 'bad' });
    }
  };
  useEffect(() => {
    // A browser would leave the page for a file that is dropped beside its place.
    const stay = (event: Event): void => event.preventDefault();
    addEventListener('dragover', stay);
    addEventListener('drop', stay);
    return () => {
      removeEventListener('dragover', stay);
      removeEventListener('drop', stay);
    };
  }, []);
  const dropped = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void take([...(event.dataTransfer?.files ?? [])]);
  };
  return (
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => (event.preventDefault(), setOver(true))}
      onDragLeave={() => setOver(false)}
      onDrop={dropped}
    >
      <label>
        Drop the files of one recording here, or choose them
        <input
          type="file"
          multiple
          onChange={({ currentTarget }) => {
            void take([...(currentTarget.files ?? [])]);
            // The same file may be chosen again, once it is mended.
            currentTarget.value = '';
          }}
        />
      </label>
      {steps.map(({ name, text, tone }) => (
        <Notice key={name} tone={tone}>
          {name}: {text} {tone === 'wait' && <progress aria-label={`sending ${name}`} />}
        </Notice>
      ))}
    </div>
  );
};
