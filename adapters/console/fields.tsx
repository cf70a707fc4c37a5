import type { ComponentChildren, FormHTMLAttributes, InputHTMLAttributes, Ref } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { VideoRecord } from '../client/index.js';
import { Button, Failure, useRun } from './ui.js';

/** A form that the page handles itself. */
export const Form = ({
  onSubmit,
  ...form
}: Omit<FormHTMLAttributes, 'onSubmit'> & { readonly onSubmit?: () => void }) => (
  <form
    {...form}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit?.();
    }}
  />
);

/** A field for a text, or for what its type says, below its label. */
export const Field = ({
  label,
  onText,
  ...input
}: InputHTMLAttributes & { readonly label: string; readonly onText?: (text: string) => void }) => (
  <label>
    {label}
    <input {...input} onInput={(event) => onText?.(event.currentTarget.value)} />
  </label>
);

/** A list from which one of several values is chosen. */
export const Choose = <Value extends string>({
  label,
  options,
  value,
  onChoose,
}: {
  readonly label: string;
  readonly options: ReadonlyArray<readonly [value: Value, text: string]>;
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
}) => (
  <label>
    {label}{' '}
    <select
      value={value}
      onChange={({ currentTarget }) => {
        const chosen = options.find(([one]) => one === currentTarget.value);
        if (chosen !== undefined) onChoose(chosen[0]);
      }}
    >
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  </label>
);

/** A box to check, before its label. */
export const Check = ({
  checked,
  onChange,
  children,
}: {
  readonly checked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly children: ComponentChildren;
}) => (
  <label class="check">
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />{' '}
    <span>{children}</span>
  </label>
);

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

interface Naming {
  /** Who has the name. */
  readonly subject: string;
  readonly name?: string;
  readonly save: (name: string) => Promise<unknown>;
}

/** A field for a name. Enter saves it, Escape closes the field. */
export const NameField = ({ subject, name = '', save, onClose }: Naming & { readonly onClose: () => void }) => {
  const input = useRef<HTMLInputElement>(null);
  const { error, run } = useRun();
  // At once: later it would select what somebody has typed already.
  useLayoutEffect(() => input.current?.select(), []);
  return (
    <Form
      class="actions"
      onSubmit={() => {
        const given = input.current?.value.trim() ?? '';
        if (given === '' || given === name) return onClose();
        run(() => save(given).then(onClose));
      }}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <input ref={input} aria-label={`Name of ${subject}`} defaultValue={name} maxLength={200} />
      <button type="submit" class="small">
        Save
      </button>
      <Button text="Cancel" kind="small" onPress={onClose} />
      <Failure error={error} />
    </Form>
  );
};

/** A name with a button to change it in place. */
export const Rename = (naming: Naming) => {
  const [isOpen, setOpen] = useState(false);
  return isOpen ? (
    <NameField {...naming} onClose={() => setOpen(false)} />
  ) : (
    <Button text="Rename" kind="link" label={`Rename ${naming.subject}`} onPress={() => setOpen(true)} />
  );
};
