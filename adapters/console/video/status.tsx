import type { AudioRecord, VideoRecord } from '../../client/index.js';
import { Badge } from '../ui.js';
import { inWords } from '../words.js';

const tones = { completed: 'good', failed: 'bad', queue: 'wait', processing: 'wait' } as const;

/** The state of the analysis. A video of which only the speech was analysed does not wait for anything. */
export const Status = ({
  video,
  audio,
}: {
  readonly video: Pick<VideoRecord, 'status'> | null;
  readonly audio: Pick<AudioRecord, 'status'> | null;
}) => {
  const status = video?.status ?? audio?.status ?? 'queue';
  return video?.status === 'queue' && audio?.status === 'completed' ? (
    <Badge tone="good">only speech</Badge>
  ) : (
    <Badge tone={tones[status]}>{inWords(status)}</Badge>
  );
};
