// The views that `cargo xtask shots` takes pictures of. `hash` opens one; `prepare` brings it to the wanted moment.
export const VIEWS = [
  { name: "main", hash: "" },
];
