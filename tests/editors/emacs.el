;;; -*- lexical-binding: t -*-
;; Run by `emacs --batch`: opens `old.py`, waits for findings, takes the quick fix. Prints a JSON object with
;; what it saw.
(require 'cl-lib)
(require 'json)
(package-initialize)
(require 'flymake)
(require 'python)
(require 'eglot)
(setq eglot-sync-connect 20
      eglot-send-changes-idle-time 0
      eglot-autoreconnect nil
      flymake-no-changes-timeout 0.1
      eglot-confirm-server-initiated-edits nil)
(load (getenv "JAXLINT_SETUP") nil t)

(defun findings (count)
  "The findings of the buffer once there are COUNT."
  (let ((end (+ (float-time) 20)))
    (while (and (/= (length (flymake-diagnostics)) count) (< (float-time) end))
      (eglot--signal-textDocument/didChange) ; eglot does so in idle time, which --batch does not have
      (accept-process-output nil 0.1)
      (flymake-start))
    (unless (= (length (flymake-diagnostics)) count)
      (error "%d findings instead of %d" (length (flymake-diagnostics)) count))
    (flymake-diagnostics)))

(defun seen ()
  (find-file "old.py")
  (unless (eglot-managed-p) (call-interactively #'eglot))
  (let* ((found (car (findings 1)))
         (first `((text . ,(flymake-diagnostic-text found))
                  (row . ,(line-number-at-pos (flymake-diagnostic-beg found)))
                  (word . ,(buffer-substring-no-properties
                            (flymake-diagnostic-beg found) (flymake-diagnostic-end found))))))
    (goto-char (flymake-diagnostic-beg found))
    ;; What `RET` chooses: the preferred action.
    (cl-letf ((last-nonmenu-event ?\r)
              ((symbol-function 'completing-read)
               (lambda (_prompt _choices &rest more) (car (last more)))))
      (eglot-code-actions (point) (point) "quickfix" t))
    (findings 0)
    `((first . ,first) (repaired . ,(buffer-substring-no-properties (point-min) (point-max))))))

(let ((result (condition-case problem (seen) (error `((problem . ,(error-message-string problem)))))))
  (princ (json-encode result))
  (ignore-errors (eglot-shutdown-all))
  (set-buffer-modified-p nil)
  (kill-emacs (if (assq 'problem result) 1 0)))
