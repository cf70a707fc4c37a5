import { useState } from 'preact/hooks';
import type { MediaAnalysis } from '../client/index.js';
import { Choose, Field } from './fields.js';
import { messageOf, number } from './format.js';
import { useWindowEvent } from './hooks.js';
import { factOf, fieldOf, type Fields, listOf } from './json.js';
import { useClient } from './session.js';
import { Notice } from './ui.js';

/** The records that files are imported to. */
interface Recording {
  readonly video_id: string;
  readonly audio_id: string;
  readonly title: string;
  /** Whether this import created it. */
  readonly isNew: boolean;
}

/** What the user chose: an existing video, or title and media address of a new one. */
interface Target {
  readonly video_id: string;
  readonly title: string;
  readonly media_url: string;
}

const hasNoneOfKind = /contains no (?:faces|speech)/;

/** Whether a file is not in a format that the service knows. */
const isUnrecognised = (error: unknown): boolean => /format is not recognised/.test(messageOf(error));

const mediaNames = /\.(?:mp4|m4[av]|mov|mkv|webm|avi|mpe?g|ts|wmv|mp3|wav|flac|ogg|opus|aac|wma|jpe?g|png|gif|webp)$/i;

/** Whether a file is a recording or picture itself, not a document about one. */
const isMedia = ({ name, type }: File): boolean => /^(?:video|audio|image)\//.test(type) || mediaNames.test(name);

const hashOf = async (bytes: BufferSource): Promise<string> =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

/** An id from the contents of the files, so that the same files find their recording again; null without https. */
const idOf = async (files: ReadonlyArray<File>): Promise<string | null> => {
  if (!isSecureContext) return null;
  const hashes = await Promise.all(files.map(async (file) => hashOf(await file.arrayBuffer())));
  return `import-${(await hashOf(new TextEncoder().encode(hashes.toSorted().join()))).slice(0, 24)}`;
};

const existing = async (client: MediaAnalysis, video_id: string): Promise<Recording> => {
  const video = await client.videos.get(video_id);
  const title = video.title ?? video_id;
  const audio_id = video.audio_id ?? (await client.audios.create({ video_id, title })).audio_id;
  return { video_id, audio_id, title, isNew: false };
};

/** The title of a recording, from the name of a file. */
const titleOf = (name: string): string => name.replace(/\.[^.]*$/, '');

/** The recording for files: the chosen one, the one that they were imported to before, or a new one. */
const recordingOf = async (client: MediaAnalysis, files: ReadonlyArray<File>, target: Target): Promise<Recording> => {
  if (target.video_id !== '') return existing(client, target.video_id);
  const entered = {
    ...(target.title.trim() === '' ? {} : { title: target.title.trim() }),
    ...(target.media_url === '' ? {} : { media_url: target.media_url }),
  };
  const title = entered.title ?? titleOf(files[0]?.name ?? '');
  const id = await idOf(files);
  const create = async (video_id: string | null): Promise<Recording> => {
    const created = await client.videos.create({ ...entered, title, video_id });
    const { audio_id } = await client.audios.create({ video_id: created.video_id, title });
    return { video_id: created.video_id, audio_id, title, isNew: true };
  };
  try {
    return await create(id);
  } catch (error) {
    if (id !== null && factOf(error, 'status') === 409) {
      // What was entered this time counts.
      if (Object.keys(entered).length > 0) await client.videos.update(id, entered);
      return existing(client, id);
    }
    // Somebody erased it, so that its id cannot be used again.
    if (id !== null && factOf(error, 'status') === 410) return create(null);
    throw error;
  }
};

const partsIn = ({ faces, speakers }: Fields): string =>
  [...(typeof faces === 'number' ? ['faces'] : []), ...(typeof speakers === 'number' ? ['speech'] : [])].join(' and ');

/** What became of a file, or of the import. */
interface Step {
  readonly name: string;
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'wait';
}

const unrecognisedText = 'not in a supported format, so it was left out';

/** What was imported, by what the service says about how it understood the files. */
const outcomeOf = (understood: Fields, files: ReadonlyArray<File>): ReadonlyArray<Step> => {
  const { files: several, skipped, joined } = understood;
  const joinedNames = [fieldOf(joined, 'turns'), fieldOf(joined, 'transcript')];
  const imported = Array.isArray(several) ? listOf(several) : [{ ...understood, file: files[0]?.name }];
  return [
    ...imported.map((one) => {
      const how = joinedNames.includes(one['file']) ? ', turns and transcript joined' : '';
      return { name: String(one['file']), text: `${partsIn(one)} imported${how}`, tone: 'good' } as const;
    }),
    ...(Array.isArray(skipped) ? skipped : []).map(
      (name) => ({ name: String(name), text: unrecognisedText, tone: 'bad' }) as const,
    ),
  ];
};

/**
 * Imports files as one document, so that the service joins turns with a transcript, and reads all of them or none.
 * Returns what was imported from each. Throws the error of the service if it was nothing, or only one half.
 */
const send = async (
  client: MediaAnalysis,
  { video_id, audio_id }: Recording,
  files: ReadonlyArray<File>,
): Promise<ReadonlyArray<Step>> => {
  const texts = await Promise.all(files.map(async (file) => ({ name: file.name, text: await file.text() })));
  const document = texts.length === 1 ? (texts[0]?.text ?? '') : JSON.stringify({ files: texts });
  const options = { query: { format: 'auto' } };
  const outcomes: Array<ReadonlyArray<Step>> = [];
  let failure: unknown = null;
  for (const record of [
    () => client.videos.recordAnalysis(video_id, document, options),
    () => client.audios.recordAnalysis(audio_id, document, options),
  ])
    try {
      outcomes.push(outcomeOf((await record()).understood ?? {}, files));
    } catch (error) {
      const isOtherHalf = hasNoneOfKind.test(messageOf(error));
      if (!isOtherHalf) throw error;
      failure ??= error;
    }
  const [outcome] = outcomes;
  if (outcome === undefined) throw failure;
  return outcome;
};

/** Erases a recording. */
export const remove = async (
  client: MediaAnalysis,
  { video_id, audio_id }: { readonly video_id: string; readonly audio_id: string | null },
): Promise<void> => {
  await client.videos.erase(video_id);
  if (audio_id !== null) await client.audios.erase(audio_id);
};

const mediaText =
  'this is a recording or a picture, which is not uploaded. Import what an analysis tool wrote about it, and give its address as the media address';

interface Props {
  /** The videos that files can be added to. */
  readonly choices: ReadonlyArray<{ readonly video_id: string; readonly title: string | null }>;
}

const newRecording: Target = { video_id: '', title: '', media_url: '' };

/** Which recording the files belong to; title and media address of a new one. */
const TargetFields = ({
  target,
  choices,
  onChange,
}: Props & { readonly target: Target; readonly onChange: (target: Target) => void }) => (
  <div class="filters">
    <Choose
      label="Recording"
      options={[
        ['', 'a new one'],
        ...choices.map(({ video_id, title }) => [video_id, `add to ${title ?? video_id}`] as const),
      ]}
      value={target.video_id}
      onChoose={(video_id) => onChange({ ...target, video_id })}
    />
    {target.video_id === '' && (
      <>
        <Field
          label="New title"
          value={target.title}
          placeholder="the name of the file"
          maxLength={500}
          onText={(title) => onChange({ ...target, title })}
        />
        <Field
          label="Media address"
          type="url"
          value={target.media_url}
          placeholder="https://…"
          maxLength={2048}
          onText={(text) => onChange({ ...target, media_url: text.trim() })}
        />
      </>
    )}
  </div>
);

/** Imports the files of one recording: the output of analysis tools for its video and its audio. */
export const ImportFiles = ({ choices }: Props) => {
  const client = useClient();
  const [steps, setSteps] = useState<ReadonlyArray<Step>>([]);
  const [target, setTarget] = useState(newRecording);
  const [done, setDone] = useState<Recording | null>(null);
  const [isDraggedOver, setDraggedOver] = useState(false);
  const say = (step: Step): void => setSteps((before) => [...before.filter(({ name }) => name !== step.name), step]);
  /** Imports all files, or none of them; files that are not in a supported format are left out. */
  const sendAll = async (recording: Recording, files: ReadonlyArray<File>): Promise<void> => {
    for (const { name, size } of files)
      say({ name, text: `sending ${number(Math.ceil(size / 1_000))} kB …`, tone: 'wait' });
    try {
      (await send(client, recording, files)).forEach(say);
      setTarget(newRecording);
      setDone(recording);
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
  // Without this, the browser would open a file that is dropped outside the drop area.
  useWindowEvent('dragover', (event) => event.preventDefault());
  useWindowEvent('drop', (event) => event.preventDefault());
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
