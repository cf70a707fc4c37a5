import { number } from '../format.js';

interface Props {
  readonly wanted: string;
  readonly onWant: (text: string) => void;
  readonly found: number;
  readonly all: number;
  /** Goes to the first that was found. */
  readonly onEnter: () => void;
}

/** Narrows the lanes to those of a name: a panel of many has hundreds. */
export const FindLane = ({ wanted, onWant, found, all, onEnter }: Props) => (
  <form
    class="find"
    role="search"
    onSubmit={(event) => {
      event.preventDefault();
      onEnter();
    }}
  >
    <input
      type="search"
      aria-label="Find a face or a speaker"
      placeholder="Find a face or a speaker"
      value={wanted}
      onInput={(event) => onWant(event.currentTarget.value)}
    />
    <span class="quiet" role="status">
      {number(found)} of {number(all)}
    </span>
  </form>
);
