import type { ComponentChildren } from 'preact';
import { number } from '../format.js';

interface Props {
  readonly searched: string;
  readonly onSearch: (text: string) => void;
  readonly found: number;
  readonly all: number;
  /** Jumps to the first lane that was found. */
  readonly onEnter: () => void;
  readonly children: ComponentChildren;
}

/** A search field that filters the lanes by name. */
export const FindLane = ({ searched, onSearch, found, all, onEnter, children }: Props) => (
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
      value={searched}
      onInput={(event) => onSearch(event.currentTarget.value)}
    />
    <span class="quiet" role="status">
      {number(found)} of {number(all)}
    </span>
    {children}
  </form>
);
