import { useEffect, useState } from 'preact/hooks';
import type { MediaAnalysis } from '../client/index.js';
import { number, messageOf } from './format.js';
import { Notice } from './ui.js';

interface Step {
  readonly name: string;
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'wait';
}

const hasNoneOfKind = /contains no (?:faces|speech)/;

interface Recording {
  readonly video_id: string;
  readonly audio_id: string;
  /** The file from which faces and speech were imported. */
  readonly importedFrom: Map<'faces' | 'speech', string>;
}

const recordingOf = async (client: MediaAnalysis, title: string): Promise<Recording> => {
  const { video_id } = await client.videos.create({ title });
  const { audio_id } = await client.audios.create({ video_id, title });
  return { video_id, audio_id, importedFrom: new Map() };
};

/** Imports a file and returns what was imported from it, in words. Throws the error of the service if it was nothing. */
const send = async (
  client: MediaAnalysis,
  { video_id, audio_id, importedFrom }: Recording,
  file: File,
): Promise<string> => {
  const document = await file.text();
  const options = { query: { format: 'auto' } };
  const halves = [
    ['faces', () => client.videos.recordAnalysis(video_id, document, options)],
    ['speech', () => client.audios.recordAnalysis(audio_id, document, options)],
  ] as const;
  const imported: string[] = [];
  const failures: unknown[] = [];
  for (const [half, record] of halves) {
    const earlier = importedFrom.get(half);
    try {
      if (earlier !== undefined)
        throw new Error(
          `the ${half} of this recording came from ${earlier} already; to join several files, use the command "media-analysis import"`,
        );
      await record();
      importedFrom.set(half, file.name);
      imported.push(half);
    } catch (error) {
      failures.push(error);
    }
  }
  if (imported.length > 0) return `${imported.join(' and ')} imported`;
  throw failures.find((failure) => !hasNoneOfKind.test(messageOf(failure))) ?? failures[0];
};

/** Imports the files of one recording: the output of analysis tools for its video and its audio. */
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
          say({ name, text: messageOf(error), tone: 'bad' });
        }
      }
      if (recording.importedFrom.size > 0) return;
      // Nothing was imported, so the new records are removed.
      await client.videos.erase(recording.video_id);
      await client.audios.erase(recording.audio_id);
    } catch (error) {
      say({ name: 'import', text: messageOf(error), tone: 'bad' });
    }
  };
  useEffect(() => {
    // Without this, the browser would open a file that is dropped outside the drop area.
    const preventOpening = (event: Event): void => event.preventDefault();
    addEventListener('dragover', preventOpening);
    addEventListener('drop', preventOpening);
    return () => {
      removeEventListener('dragover', preventOpening);
      removeEventListener('drop', preventOpening);
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
        Drop the files of one recording here, or choose files
        <input
          type="file"
          multiple
          onChange={({ currentTarget }) => {
            void take([...(currentTarget.files ?? [])]);
            // Allows the same file to be chosen again after it was corrected.
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
