import { useEffect, useRef, useState } from 'preact/hooks';
import type { Box } from '../../client/index.js';
import { useKeys, useQuery } from '../hooks.js';
import { useClient } from '../session.js';
import { Notice } from '../ui.js';

/** A request to show a time, and to play from it. A newer one has a larger `round`. */
export interface Jump {
  readonly to: number;
  readonly plays: boolean;
  readonly round: number;
}

/** Boxes are fetched for spans of this length, in seconds. */
const spanLength = 20;
/** A face is where its nearest box is, if that is not further away than this, in seconds. */
const nearness = 1;

const nearestOf = (boxes: ReadonlyArray<Box>, now: number): Box | null => {
  let nearest: Box | null = null;
  for (const box of boxes) {
    const distance = Math.abs(box.at - now);
    if (distance <= (nearest === null ? nearness : Math.abs(nearest.at - now))) nearest = box;
  }
  return nearest;
};

/** The faces in the picture, each in a box with its name, where the record knows their places. */
const Boxes = ({ video_id, now, nameOf }: Pick<Props, 'video_id' | 'nameOf'> & { readonly now: number }) => {
  const client = useClient();
  const span = Math.floor(now / spanLength);
  const { answer } = useQuery(
    (signal) => {
      const around = { from: Math.max(0, span * spanLength - nearness), to: (span + 1) * spanLength + nearness };
      return client.videos.tracks(video_id, { ...around, boxes: true }, { signal }).toArray();
    },
    [video_id, span],
  );
  return (
    <>
      {answer?.map(({ face_id, boxes = [] }) => {
        const box = nearestOf(boxes, now);
        if (box === null) return null;
        const style = Object.fromEntries(
          (['left', 'top', 'width', 'height'] as const).map((side) => [side, `${box[side] * 100}%`]),
        );
        return (
          <div key={face_id} class="box" style={style}>
            <span>{nameOf(face_id)}</span>
          </div>
        );
      })}
    </>
  );
};

interface Props {
  readonly video_id: string;
  readonly url: string;
  readonly jump: Jump | null;
  readonly onTime?: (seconds: number) => void;
  /** How a face is called in the picture. */
  readonly nameOf: (face_id: number) => string;
}

/** The recording, with boxes around the faces. `p` plays and pauses it. */
export const Player = ({ url, jump, onTime, ...boxes }: Props) => {
  const element = useRef<HTMLVideoElement>(null);
  const [kind, setKind] = useState<'unknown' | 'sound' | 'picture' | 'broken'>('unknown');
  const [now, setNow] = useState(0);
  useEffect(() => {
    const media = element.current;
    if (media === null || jump === null) return;
    media.currentTime = jump.to;
    // The browser may block playing without a click; then the user presses play.
    if (jump.plays) media.play().catch(() => undefined);
  }, [jump?.round, url]);
  useKeys((key) => {
    const media = element.current;
    if (key !== 'p' || media === null) return false;
    if (media.paused) media.play().catch(() => undefined);
    else media.pause();
    return true;
  });
  return (
    <div class="player">
      {kind === 'broken' && (
        <Notice>
          The recording cannot be played: nothing playable is at its address (media_url). Ask its owner to correct it.
        </Notice>
      )}
      <div class="picture">
        <video
          ref={element}
          src={url}
          class={kind}
          controls
          preload="auto"
          onError={() => setKind('broken')}
          onLoadedMetadata={(event) => setKind(event.currentTarget.videoWidth === 0 ? 'sound' : 'picture')}
          onTimeUpdate={(event) => {
            setNow(event.currentTarget.currentTime);
            onTime?.(event.currentTarget.currentTime);
          }}
        >
          <track kind="captions" />
        </video>
        {kind === 'picture' && (
          <div class="boxes" aria-hidden="true">
            <Boxes {...boxes} now={now} />
          </div>
        )}
      </div>
    </div>
  );
};
