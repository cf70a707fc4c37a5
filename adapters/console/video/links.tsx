import { useState } from 'preact/hooks';
import type { AudioRecord, VideoRecord } from '../../client/index.js';
import { number } from '../format.js';
import { Action } from '../ui.js';
import { LinkCard } from './link-card.js';
import { type Filter, type Order, arranged, certainOf, filters, linksOf, orders } from './link-list.js';
import type { CardContext } from './people.js';
import type { Records } from './use-records.js';

type Props = Omit<CardContext, 'video' | 'audio_id' | 'write'> & {
  readonly video: VideoRecord;
  readonly audio: AudioRecord;
  readonly records: Records;
};

const isOneOf = <Name extends string>(names: Readonly<Record<Name, string>>, text: string): text is Name =>
  Object.hasOwn(names, text);

const Choose = <Name extends string>({
  label,
  names,
  value,
  onChoose,
}: {
  readonly label: string;
  readonly names: Readonly<Record<Name, string>>;
  readonly value: Name;
  readonly onChoose: (name: Name) => void;
}) => (
  <label>
    {label}{' '}
    <select
      value={value}
      onChange={({ currentTarget: { value: chosen } }) => isOneOf(names, chosen) && onChoose(chosen)}
    >
      {Object.entries<string>(names).map(([name, text]) => (
        <option key={name} value={name}>
          {text}
        </option>
      ))}
    </select>
  </label>
);

/** A card for each speaker, filtered and in order, with a button to accept all certain suggestions. */
export const Links = ({ video, audio, records, ...context }: Props) => {
  const [filter, setFilter] = useState<Filter>('all');
  const [order, setOrder] = useState<Order>('number');
  const { client } = context;
  const { write } = records;
  const links = linksOf(video, audio, records);
  const certain = certainOf(links);
  const shown = arranged(links, filter, order);
  const acceptAll = (): Promise<void> =>
    write(`accept ${certain.length} suggestions`, (options) =>
      client.decisions.create(
        video.video_id,
        { decisions: certain.map(({ face_id, speaker_id }) => ({ face_id, speaker_id, verdict: 'confirmed' })) },
        options,
      ),
    );
  return (
    <>
      <div class="actions choose">
        <Choose label="Show" names={filters} value={filter} onChoose={setFilter} />
        <Choose label="Order" names={orders} value={order} onChoose={setOrder} />
        <span class="quiet">
          {number(shown.length)} of {number(links.length)}
        </span>
        {certain.length > 0 && (
          <Action kind="small" run={acceptAll}>
            Accept all above 99 % ({number(certain.length)})
          </Action>
        )}
      </div>
      <ul class="cards">
        {shown.map((link) => (
          <LinkCard
            key={link.speaker_id}
            link={link}
            video={video}
            audio_id={audio.audio_id}
            write={write}
            {...context}
          />
        ))}
      </ul>
    </>
  );
};
