import { useEffect, useRef } from 'preact/hooks';
import type { AudioRecord } from '../../client/index.js';
import { time } from '../format.js';
import { useQuery } from '../hooks.js';
import { fieldOf } from '../json.js';
import { useClient } from '../session.js';
import { Button, Loaded } from '../ui.js';
import { speakerName } from './lanes.js';
import { inferredIn } from './names.js';
import { useRecording } from './use-records.js';

/** The transcript is loaded in windows of this length: the window of the selected time and its neighbours. */
const windowSeconds = 120;

/** The quotes of inferred names, by the index of their utterance. */
const quotesOf = (audio: AudioRecord): ReadonlyMap<number, string> =>
  new Map(
    inferredIn(audio).flatMap(({ quote, quote_location }) => {
      const index = fieldOf(quote_location, 'index');
      return typeof quote === 'string' && typeof index === 'number' ? [[index, quote] as const] : [];
    }),
  );

const Marked = ({ text, quote }: { readonly text: string; readonly quote: string | undefined }) => {
  const at = quote === undefined ? -1 : text.toLowerCase().indexOf(quote.toLowerCase());
  if (quote === undefined || at < 0) return <>{text}</>;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + quote.length)}</mark>
      {text.slice(at + quote.length)}
    </>
  );
};

/** What is said around the selected time. */
export const Transcript = ({ audio }: { readonly audio: AudioRecord }) => {
  const client = useClient();
  const { now, seek } = useRecording();
  const window = Math.floor(now / windowSeconds);
  const query = useQuery(
    async (signal) => {
      if (!audio.transcript_available) return [];
      const span = { from: Math.max(0, (window - 1) * windowSeconds), to: (window + 2) * windowSeconds };
      return client.audios.transcript(audio.audio_id, span, { signal }).toArray();
    },
    [audio.audio_id, audio.transcript_available, audio.updated_at, window],
  );
  const current = useRef<HTMLLIElement>(null);
  const currentIndex = query.answer?.findLastIndex(({ start }) => start <= now) ?? -1;
  useEffect(() => {
    const line = current.current;
    const list = line?.parentElement;
    // Scrolls only the list, not the page.
    if (line !== null && list) list.scrollTop = line.offsetTop - list.clientHeight / 3;
  }, [currentIndex]);
  if (!audio.transcript_available) return <p class="quiet">This audio has no transcript.</p>;
  const names = new Map(audio.speakers.map(({ speaker_id, name }) => [speaker_id, name]));
  const quotes = quotesOf(audio);
  return (
    <Loaded query={query}>
      {(utterances) => (
        <ol class="transcript" tabIndex={0} aria-label="Transcript around the selected time">
          {utterances.map(({ index, speaker_id, start, text }, at) => (
            <li
              key={index}
              ref={at === currentIndex ? current : null}
              aria-current={at === currentIndex ? 'true' : undefined}
            >
              <Button text={time(start)} kind="link" onPress={() => seek(start)} />{' '}
              <strong>{speakerName(speaker_id, names.get(speaker_id))}</strong>{' '}
              <Marked text={text} quote={quotes.get(index)} />
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  );
};
