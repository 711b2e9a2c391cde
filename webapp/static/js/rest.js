// Marks the page as at rest while nobody moves the pointer or presses a key: its controls fade.
"use strict";

{
  const REST = 5_000;
  const page = document.documentElement;
  let resting;

  const wake = () => {
    page.classList.remove("at-rest");
    clearTimeout(resting);
    resting = setTimeout(() => page.classList.add("at-rest"), REST);
  };

  ["keydown", "pointermove", "focusin"].forEach((name) => document.addEventListener(name, wake));
  wake();
}
