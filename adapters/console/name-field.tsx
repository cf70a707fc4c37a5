import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Failure } from './ui.js';

/** A field for a name. Enter saves it, Escape closes the field. */
export const NameField = ({
  subject,
  name = '',
  save,
  onClose,
}: {
  readonly subject: string;
  readonly name?: string;
  readonly save: (name: string) => Promise<unknown>;
  readonly onClose: () => void;
}) => {
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<unknown>(null);
  // At once: later it would select what somebody has typed already.
  useLayoutEffect(() => input.current?.select(), []);
  return (
    <form
      class="actions"
      onSubmit={(event) => {
        event.preventDefault();
        const given = input.current?.value.trim() ?? '';
        if (given === '' || given === name) return onClose();
        save(given).then(onClose, setError);
      }}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <input ref={input} aria-label={`Name of ${subject}`} defaultValue={name} maxLength={200} />
      <button type="submit" class="small">
        Save
      </button>
      <button type="button" class="small" onClick={onClose}>
        Cancel
      </button>
      <Failure error={error} />
    </form>
  );
};

/** A name with a button to change it in place. */
export const Rename = ({
  subject,
  name,
  save,
}: {
  readonly subject: string;
  readonly name: string;
  readonly save: (name: string) => Promise<unknown>;
}) => {
  const [isOpen, setOpen] = useState(false);
  return isOpen ? (
    <NameField subject={subject} name={name} save={save} onClose={() => setOpen(false)} />
  ) : (
    <button type="button" class="link" aria-label={`Rename ${subject}`} onClick={() => setOpen(true)}>
      Rename
    </button>
  );
};
