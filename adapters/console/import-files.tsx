import { useState } from 'preact/hooks';
import type { MediaAnalysis } from '../client/index.js';
import { words } from './format.js';
import { Notice } from './ui.js';

interface Step {
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'wait';
}

const forAudio = /no faces|holds? no|speaker|turn|transcript|audio/i;

/** What a file holds is found out by the service: as faces first, then as speech. */
const send = async (client: MediaAnalysis, file: File, video_id: string, audio_id: string): Promise<string> => {
  const document = await file.text();
  const options = { query: { format: 'auto' } };
  try {
    await client.videos.recordAnalysis(video_id, document, options);
    return 'faces';
  } catch (asFaces) {
    try {
      await client.audios.recordAnalysis(audio_id, document, options);
      return 'speech';
    } catch (asSpeech) {
      throw forAudio.test(words(asFaces)) ? asSpeech : asFaces;
    }
  }
};

/** Takes the files of one recording: what video and audio analyses of many tools and providers write. */
export const ImportFiles = ({ client }: { readonly client: MediaAnalysis }) => {
  const [steps, setSteps] = useState<ReadonlyArray<Step>>([]);
  const [isOver, setOver] = useState(false);
  const say = (text: string, tone: Step['tone']): void => setSteps((before) => [...before, { text, tone }]);
  const take = async (files: ReadonlyArray<File>): Promise<void> => {
    setSteps([]);
    const [first] = files;
    if (first === undefined) return;
    try {
      const title = first.name.replace(/\.[^.]*$/, '');
      const { video_id } = await client.videos.create({ title });
      const { audio_id } = await client.audios.create({ video_id, title });
      for (const file of files) {
        say(`${file.name}: sending …`, 'wait');
        try {
          say(`${file.name}: ${await send(client, file, video_id, audio_id)}, imported`, 'good');
        } catch (error) {
          say(`${file.name}: ${words(error)}`, 'bad');
        }
      }
    } catch (error) {
      say(words(error), 'bad');
    }
  };
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
          }}
        />
      </label>
      {steps.map(({ text, tone }, at) => (
        <Notice key={at} tone={tone}>
          {text}
        </Notice>
      ))}
    </div>
  );
};
