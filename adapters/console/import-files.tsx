import { useEffect, useState } from 'preact/hooks';
import type { MediaAnalysis } from '../client/index.js';
import { number, messageOf } from './format.js';
import {
  type Recording,
  type Target,
  isUnrecognised,
  isMedia,
  recordingOf,
  remove,
  retitled,
  send,
} from './import-recording.js';
import { Notice } from './ui.js';

interface Step {
  readonly name: string;
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'wait';
}

const mediaText =
  'this is a recording or a picture, which is not uploaded. Import what an analysis tool wrote about it, and give its address as the media address';
const unrecognisedText = 'not in a supported format, so it was left out';

/** A video that files can be added to. */
export interface Choice {
  readonly video_id: string;
  readonly title: string | null;
}

/** Which recording the files belong to; title and media address of a new one. */
const TargetFields = ({
  target,
  choices,
  onChange,
}: {
  readonly target: Target;
  readonly choices: ReadonlyArray<Choice>;
  readonly onChange: (target: Target) => void;
}) => (
  <div class="filters">
    <label>
      Recording
      <select
        value={target.video_id}
        onChange={(event) => onChange({ ...target, video_id: event.currentTarget.value })}
      >
        <option value="">a new one</option>
        {choices.map(({ video_id, title }) => (
          <option key={video_id} value={video_id}>
            add to {title ?? video_id}
          </option>
        ))}
      </select>
    </label>
    {target.video_id === '' && (
      <>
        <label>
          New title
          <input
            value={target.title}
            placeholder="the name of the file"
            maxLength={500}
            onInput={(event) => onChange({ ...target, title: event.currentTarget.value })}
          />
        </label>
        <label>
          Media address
          <input
            type="url"
            value={target.media_url}
            placeholder="https://…"
            maxLength={2048}
            onInput={(event) => onChange({ ...target, media_url: event.currentTarget.value.trim() })}
          />
        </label>
      </>
    )}
  </div>
);

/** Imports the files of one recording: the output of analysis tools for its video and its audio. */
export const ImportFiles = ({
  client,
  choices,
}: {
  readonly client: MediaAnalysis;
  readonly choices: ReadonlyArray<Choice>;
}) => {
  const [steps, setSteps] = useState<ReadonlyArray<Step>>([]);
  const [target, setTarget] = useState<Target>({ video_id: '', title: '', media_url: '' });
  const [done, setDone] = useState<Recording | null>(null);
  const [isDraggedOver, setDraggedOver] = useState(false);
  const say = (step: Step): void => setSteps((before) => [...before.filter(({ name }) => name !== step.name), step]);
  /** Imports all files, or none of them; files that are not in a supported format are left out. */
  const sendAll = async (recording: Recording, files: ReadonlyArray<File>): Promise<void> => {
    for (const { name, size } of files)
      say({ name, text: `sending ${number(Math.ceil(size / 1_000))} kB …`, tone: 'wait' });
    try {
      const imported = await send(client, recording, files);
      for (const { name, text, isLeftOut } of imported)
        say({ name, text: isLeftOut ? unrecognisedText : text, tone: isLeftOut ? 'bad' : 'good' });
      setTarget({ video_id: '', title: '', media_url: '' });
      setDone(await retitled(client, recording, imported));
    } catch (error) {
      const isUnknown = isUnrecognised(error);
      for (const { name } of files)
        say({ name, text: isUnknown ? unrecognisedText : 'not imported', tone: isUnknown ? 'bad' : 'wait' });
      if (!isUnknown) say({ name: 'Import', text: messageOf(error), tone: 'bad' });
      if (recording.isNew) await remove(client, recording);
    }
  };
  const take = async (files: ReadonlyArray<File>): Promise<void> => {
    setSteps([]);
    setDone(null);
    for (const { name } of files.filter(isMedia)) say({ name, text: mediaText, tone: 'bad' });
    const documents = files.filter((file) => !isMedia(file));
    if (documents.length === 0) return;
    const { media_url } = target;
    if (media_url !== '' && !/^https?:\/\/./i.test(media_url))
      return say({ name: 'Import', text: 'the media address must begin with https:// or http://', tone: 'bad' });
    try {
      await sendAll(await recordingOf(client, documents, target), documents);
    } catch (error) {
      say({ name: 'Import', text: messageOf(error), tone: 'bad' });
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
    setDraggedOver(false);
    void take([...(event.dataTransfer?.files ?? [])]);
  };
  return (
    <div
      class={isDraggedOver ? 'drop over' : 'drop'}
      onDragOver={(event) => (event.preventDefault(), setDraggedOver(true))}
      onDragLeave={() => setDraggedOver(false)}
      onDrop={dropped}
    >
      <TargetFields target={target} choices={choices} onChange={setTarget} />
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
      {done !== null && (
        <Notice tone="good">
          <a href={`#/videos/${encodeURIComponent(done.video_id)}`}>Open {done.title}</a>
        </Notice>
      )}
      {steps.map(({ name, text, tone }) => (
        <Notice key={name} tone={tone}>
          {name}: {text} {text.endsWith('…') && <progress aria-label={`sending ${name}`} />}
        </Notice>
      ))}
    </div>
  );
};
