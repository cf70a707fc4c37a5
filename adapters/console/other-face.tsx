import type { Ref } from 'preact';
import { useState } from 'preact/hooks';
import type { VideoRecord } from '../client/index.js';

/** A list of all faces of a video. It is empty until it is opened: a page may have many of them, and a video many faces. */
export const OtherFace = ({
  faces,
  hint,
  nameOf,
  onChoose,
  list,
}: {
  readonly faces: VideoRecord['faces'];
  readonly hint: string;
  readonly nameOf: (face_id: number) => string;
  readonly onChoose: (face_id: number) => void;
  readonly list?: Ref<HTMLSelectElement>;
}) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <select
      ref={list ?? null}
      value=""
      onFocus={() => setOpen(true)}
      onPointerDown={() => setOpen(true)}
      onBlur={() => setOpen(false)}
      onChange={({ currentTarget }) => {
        const face_id = Number(currentTarget.value);
        currentTarget.value = '';
        onChoose(face_id);
      }}
    >
      {/* A list of disabled entries alone would show none of them. */}
      <option value="" disabled={isOpen}>
        {hint}
      </option>
      {isOpen &&
        faces.map(({ id }) => (
          <option key={id} value={id}>
            {nameOf(id)}
          </option>
        ))}
    </select>
  );
};
