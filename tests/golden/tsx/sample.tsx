import React, { useState } from 'react';
import { Row } from './row';

type Props = { title: string; onPick?: (title: string) => void };

export const List: React.FC<Props> = ({ title, onPick }) => {
  const [open, setOpen] = useState<boolean>(false);
  const toggle = () => setOpen(!open);
  return (
    <ul className="list" onClick={toggle}>
      <Row key={title} label={title} onPick={onPick} />
      <Row.Cell>{open ? <b>{title}</b> : null}</Row.Cell>
    </ul>
  );
};

export function Page() {
  return <List title="List" />;
}
